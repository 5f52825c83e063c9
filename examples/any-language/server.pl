# An MCP server in plain Perl, with the modules that come with Perl. Each tool fails in a way that servers in Perl fail.
use strict;
use warnings;
use JSON::PP;

$| = 1;
my $json = JSON::PP->new->utf8->canonical;

sub send_message {
    my (%message) = @_;
    print $json->encode({ jsonrpc => "2.0", %message }), "\n";
}

sub text_result {
    my ($text, $failed) = @_;
    my %result = (content => [{ type => "text", text => $text }]);
    $result{isError} = JSON::PP::true if $failed;
    return \%result;
}

while (my $line = <STDIN>) {
    my $request = $json->decode($line);
    my ($id, $method, $params) = @{$request}{qw(id method params)};
    next unless defined $id;
    if ($method eq "initialize") {
        my $info = { name => "perl", version => "1.0.0" };
        send_message(id => $id, result => {
            protocolVersion => $params->{protocolVersion}, capabilities => { tools => {} }, serverInfo => $info,
        });
        next;
    }
    my $tool = $params->{name} // "";
    if ($tool eq "dies") {
        eval { die "Can't open orders.db: Permission denied" };
        send_message(id => $id, result => text_result($@, 1));
    } elsif ($tool eq "false_success") {
        send_message(id => $id, result => text_result('{"error":"rate limit exceeded, retry after 5 seconds"}', 0));
    } elsif ($tool eq "wrong_arguments") {
        send_message(id => $id, error => { code => -32602, message => "order must be a number" });
    } else {
        send_message(id => $id, result => text_result("done", 0));
    }
}
