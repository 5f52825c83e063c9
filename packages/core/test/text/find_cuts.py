"""Finds what the rules of conformance/text-rules.json cut, as TEXT-RULES.md beside it says.

Reads folded texts as a JSON list, and writes for each a list of rules with the parts that are cut for them.
"""

import json
import re
import sys

MARK = "[removed]"
DELIMITERS = set(" \t\n\r\f\v\"'`()[]{}<>,;“”«»")
QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”", "«": "»"}
LINE_WINDOW = 512


def compiled(pattern, flags=""):
    # ASCII: \w, \d, \s and \b mean the same as in JavaScript and RE2.
    return re.compile(pattern, re.ASCII | (re.IGNORECASE if "i" in flags else 0))


def density(run):
    kinds = ["digit" if c < ":" else "upper" if c < "[" else "lower" for c in run]
    changes = sum(1 for a, b in zip(kinds, kinds[1:]) if a != b)
    return kinds.count("upper"), kinds.count("lower"), kinds.count("digit"), changes


def is_random_run(run):
    if len(run) < 12 or len(set(run[:64])) < 6:
        return False
    upper, lower, digit, changes = density(run)
    share = changes / (len(run) - 1)
    if digit == 0:
        return len(run) >= 16 and upper > 2 and lower > 2 and share >= 0.42
    if upper + lower == 0:
        return False
    return changes >= 4 and share >= 0.25 if len(run) >= 16 else share >= 0.45


def is_random_body(token):
    upper, lower, digit, changes = density(re.sub("[+/_-]", "", token))
    return len(token) >= 20 and upper > 2 and lower > 2 and digit > 1 and changes / len(token) >= 0.42


def is_random(token):
    varies = re.search("[0-9]|[A-Z][^A-Z]*[A-Z][^A-Z]*[A-Z]", token)
    if len(token) < 12 or not varies or re.fullmatch("1Z[0-9A-Z]{16}", token):
        return False
    parts = re.split("[+/_-]", token)
    return any(map(is_random_run, parts)) or (len(parts) > 1 and is_random_body(token))


def has_random_part(url):
    return any(map(is_random, re.split("[/?&=#.,;:]", url[url.find("/", 8) :])))


def passes_luhn(text):
    digits = [int(c) for c in text if c in "0123456789"]
    doubled = [2 * d - 9 if d > 4 else 2 * d for d in digits[-2::-2]]
    return (sum(digits[::-2]) + sum(doubled)) % 10 == 0 and len(set(digits)) > 1


def is_citizen_number(text):
    weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
    total = sum(w * int(c) for w, c in zip(weights, text))
    return "10X98765432"[total % 11] == text[17].upper()


CHECKS = {
    "random": is_random,
    "randomPart": has_random_part,
    "varied": lambda part: len(set(part)) > 9,
    "luhn": passes_luhn,
    "citizen": is_citizen_number,
}


class Finder:
    def __init__(self, data):
        self.kinds = data["kinds"]
        self.ends = {name: compiled(pattern) for name, pattern in data["ends"].items()}
        self.rules = [(rule, compiled(rule["pattern"], rule.get("flags", ""))) for rule in data["rules"]]
        self.patterns = {}

    def has(self, test, part):
        key = (test["has"], test.get("flags", ""))
        if key not in self.patterns:
            self.patterns[key] = compiled(*key)
        return self.patterns[key].search(part) is not None

    def hold(self, conditions, part_of):
        def all_pass(tests):
            return all(self.passes(test, part_of(test.get("of", 0))) for test in tests)

        some = conditions.get("if")
        return (some is None or any(map(all_pass, some))) and not any(map(all_pass, conditions.get("unless", [])))

    def passes(self, test, part):
        if test.get("trim"):
            part = without_punctuation(part)
        if "has" in test:
            return self.has(test, part)
        if test["is"] in CHECKS:
            return CHECKS[test["is"]](part)
        kind = self.kinds[test["is"]]
        if kind.get("trim"):
            part = without_punctuation(part)
        return len(part) >= test.get("min", kind.get("min", 0)) and self.hold(kind, lambda of: part)

    def cuts(self, text):
        return [[rule["id"], part] for rule, pattern in self.rules for part in self.parts(rule, pattern, text)]

    def parts(self, rule, pattern, text):
        at = done = 0
        while match := pattern.search(text, at):
            start, at = value_in(rule, match)
            if at <= done or not self.confirms(rule, match, start, at):
                continue
            start, end = self.widened(rule["to"], text, start, at)
            part = text[start:end]
            if end <= start or re.sub(r"""["'`()\[\],;:=.\s]""", "", part.replace(MARK, "")) == "" or part in MARK:
                continue
            yield part
            done = end

    def confirms(self, rule, match, start, end):
        def part_of(of):
            if of == "before":
                return match.string[max(0, start - LINE_WINDOW) : start].rpartition("\n")[2]
            if of == "after":
                return match.string[end : end + LINE_WINDOW].partition("\n")[0]
            return match.group(of) or ""

        return self.hold(rule, part_of)

    def widened(self, to, text, start, end):
        if to == "match":
            return trimmed(text, start, end)
        if to == "token":
            return trimmed(text, token_start(text, start), self.token_end(text, end))
        if to in ("value", "header"):
            closing = QUOTES.get(text[start - 1 : start])
            if closing is not None:
                close = text.find(closing, end)
                line = line_end(text, end)
                return start, line if close == -1 or close > line else close
            return trimmed(text, start, self.token_end(text, end)) if to == "value" else (start, line_end(text, end))
        if to == "statement":
            closing = QUOTES.get(text[start - 1 : start])
            marks = [text.find(mark, end) for mark in [";", *([closing] if closing else [])]]
            return trimmed(text, start, min([line_end(text, end), *(at for at in marks if at != -1)]))
        if to == "block":
            found = self.ends["keyEnd"].search(text, start)
            if found:
                return start, found.end()
            lines = self.ends["keyLines"].search(text[start:])
            return start, start + lines.end() if lines else self.token_end(text, start)
        if to == "number":
            words = [m for m in re.finditer("[^\\s:=#\"'`,;]+", text[start:end], re.ASCII) if re.search("[0-9*]", m[0])]
            return trimmed(text, start + words[0].start(), start + words[-1].end()) if words else (start, end)
        name = self.ends["nameWords"].search(text[end : end + 128])
        return start, end + (name.end() if name else 0)

    def token_end(self, text, end):
        while end < len(text) and text[end] not in DELIMITERS:
            if text[end] == "&" and self.ends["nextParameter"].search(text[end : end + 128]):
                break
            end += 1
        return end


def without_punctuation(part):
    return re.sub(r"""[.,;:!?)\]}"'`]{1,4}\Z""", "", part)


def value_in(rule, match):
    for group in rule.get("cut", []):
        start, end = match.span(group)
        if end > start:
            return start, end
    return match.span()


def trimmed(text, start, end):
    while end > start and text[end - 1] in ".: \t\n\r\f\v":
        end -= 1
    return start, end


def token_start(text, start):
    while start > 0 and text[start - 1] not in "=&" and text[start - 1] not in DELIMITERS:
        start -= 1
    return start


def line_end(text, start):
    end = text.find("\n", start)
    return len(text) if end == -1 else end


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        finder = Finder(json.load(file))
    json.dump([finder.cuts(text) for text in json.load(sys.stdin)], sys.stdout)
