/** Ordinary words of sentences about failures. None of them is anybody's name, and no sensible secret consists of them. */
const WORDS = new Set(
  (
    "a about above accept access account act activate active actual add address after again against ago all allow almost alone along already " +
    "also although always among amount an and another any anymore anyone anything app apply appear approve archive are area argument around " +
    "array article as ask assign at attach attachment attempt attribute available average avoid away back backup bad balance bank be because " +
    "become been before begin behind being belong below between beyond big bill block board body book both box branch break bring broken bucket " +
    "build busy but button by byte calendar call can cancel cannot canceled cancelled capacity card carrier cart case category cell center change " +
    "channel character charge chart check child choose city class clear click client close closed code collect collection color colour column come " +
    "command comment commit common company complete condition conflict confirm connect connection contact contain content continue contract convert copy " +
    "correct cost could count country course create credit cron currency current currently customer cut data database date day deadline declare decline " +
    "default define delete deleted deliver delivery deny department depend deploy deployment describe description detect device did different digit " +
    "direct directory disable discount disk display do document does domain done down download draft drive due duplicate duration during each early edit " +
    "either element else email employee empty enable encode end enough enter entire entry equal error even event ever every everything exact exactly " +
    "example exceed except exchange exist expect expire expired export expression extension fail failed failure false far feature feed few field file fill " +
    "filter final find finish finished first fit flight float folder follow for form format forward found free from front full function further " +
    "future game gateway general get getting give given go good got grant group grow guest had half handle hand happen has have having he head header " +
    "height held help her here hidden high hit hold home host hotel hour how however human i id identifier if image import in inactive include incomplete " +
    "incorrect index inside insert instance instead integer into invalid inventory invite invoice is issue it item its job join just keep key kind know " +
    "known label language large last late later latest latitude layer leading least leave left length less let letter level library license life like limit line link " +
    "list live load local location lock locked log login long longer longitude look lost lot low machine made mail mailbox main make malformed manage manager many map mark " +
    "market master match matching maximum may me meaning measure media meet meeting member mention menu merge message metadata method middle might " +
    "millisecond minimum minor minute mismatch missing mistake mobile mode model modify module moment money month more most mount move much multiple must " +
    "my name near need needs neither network never new newer next no node none nonempty nor not note nothing notice now null number object observe of off offer offline " +
    "office often old older on once one ongoing only open operation option optional or order organization origin other otherwise our out output outside " +
    "over overlap overlapping own owner package page parameter parent parse part partial participant pass path patient pattern pay payment pending people per percent " +
    "period permission permit person phone photo pick piece place plan player playlist please point policy pool port position possible post prefix present previous " +
    "price primary print private problem process product profile program project property provide provider public publish published purchase put quantity query question " +
    "queue quota quote range rate rather reach read reachable reader ready real really reason recipient receive recent recipe recognise recognize record redirect refer " +
    "reference refund refuse refused region register registered reject rejected related release remain remote remove rename repeat replace reply report repository " +
    "request require required reservation reserve reset resolve resource respond response rest restore restrict result resume retry return returned revision right role " +
    "room root round route row rule run running safe said same save saved say schedule schema scheme score search second section see seem select self send " +
    "sender sent sentence separate serial series server service session set setting several shape share shared sheet ship shipment shipped shop short should show side " +
    "sign signed similar simple since single site size skip slot small snapshot so software some someone something sort source space span special " +
    "specified specify stage standard start state statement station status stay step still stock stop stopped storage store stored stream street string structure " +
    "student style subject subnet subscribe subscription succeed success such suffix support supported sure switch symbol sync syntax system table tag take taken " +
    "target task tax team template term test text than that the their them then there these they thing this those though through ticket till " +
    "time timeout title to today together tomorrow too tool top topic total track tracking trade traded trailing train transaction transfer transport travel tree trigger trip true try turn " +
    "twice two type unable unavailable unchanged under understood unexpected unique unit unknown unless unpaid unread unreachable unreadable unrecognised unrecognized unregistered " +
    "unsubscribed unsupported until unused up update upload upper url us use used user valid validate value variable vehicle vendor verified verify version very via video view visible visit voucher " +
    "wait want warehouse warning was way we weather web webhook week well went were what when where whether which while who whole whose why wide " +
    "width wiki will window with within without word work workflow workspace worksheet would write writable wrong year yes yesterday yet you your zero zip zone " +
    "absolute allowed applied appointment audio bare begins bigger blocked blank booked bounds callback cancelling canonical capital casing checksum colon comma comparison " +
    "configured configuration conversation coordinate coupon course cover cursor dash decimal decoded decrypted dependency depth detail diagram dialect " +
    "dimension directly disabled dns dot drawn driver editable effect eight encoding endpoint engine english entity environment episode eu exclude executable " +
    "exists expects extra fifth five flag forbidden foreign four fraction fresh gap graph grid greater guide hash hello hex higher history holiday html http https " +
    "hyphen iban icon ignore illegal imported inbox indexed initial inner input installed interval ip isbn iso json landing lat latin lines linked listed lng lower " +
    "mac markdown math member merged minus mime mixed moved named namespace negative nine nearest non numeric odd ok opened operator overdue paid pair paragraph parsed pdf period " +
    "permitted picture pipeline pixel plain plus png positive postcode postal precision printer priority proxy punctuation quantity random readable readme recorded recurring regex regular relative removed " +
    "renamed renew reopened replied resized resolved retired revoked role roles rows running scan scheduled schedules scope screen seat segment selected selects selection semicolon sensor seven shorter signature six slash " +
    "slug smaller spaces spelled spelling sql stale starts stations stops submitted subtract supplier supplied suspended svg tab task teams temporary ten third three thread threshold thumbnail timestamp timezone tracked translation " +
    "trash types typo unassigned undefined underscore unexpired union unlocked unmatched unsigned uri usable utc utf uuid validated vat voice volume wildcard winner worker xml yaml e mail re de co pre multi sub " +
    "answer answered another's doesn don isn aren wasn weren hasn haven hadn won wouldn couldn shouldn didn can't t s ll ve d m"
  ).split(" "),
);

const ENDINGS = ["s", "es", "ed", "d", "ing", "ly", "er"] as const;

/** Tells whether a word is an ordinary one, in any of its forms. */
export function isPlainWord(word: string): boolean {
  const lower = word.toLowerCase();
  if (WORDS.has(lower)) return true;
  return ENDINGS.some(
    (ending) => lower.length > ending.length + 2 && lower.endsWith(ending) && WORDS.has(lower.slice(0, -ending.length)),
  );
}
