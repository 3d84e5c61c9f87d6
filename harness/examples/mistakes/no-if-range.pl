#!/usr/bin/env perl
# Appends the rest of whatever the server has now.
# shown by: changed
use strict; use IO::Socket::INET;
my ($url, $output, $folder) = @ARGV;
my ($host, $port, $path) = $url =~ m{http://([^:/]+):(\d+)(/.*)};
my $part = "$folder/part";
AGAIN: my $done = -s $part || 0;
my $socket = IO::Socket::INET->new("$host:$port") or die;
print $socket "GET $path HTTP/1.1\r\nHost: $host:$port\r\nConnection: close\r\n"
  . ($done ? "Range: bytes=$done-\r\n" : "") . "\r\n";
my $status = <$socket>; my $length = 0;
while (<$socket>) { last if /^\r?\n$/; $length = $1 if /^Content-Length: (\d+)/i }
if ($status =~ / 416 /) { unlink $part; goto AGAIN }
die "bad status $status" unless $status =~ / 20[06] /;
open my $file, ($status =~ / 206 / ? ">>" : ">"), $part or die; binmode $file;
while ($length > 0 && (my $n = read $socket, my $piece, $length < 65536 ? $length : 65536)) {
  print $file $piece; $file->flush; $length -= $n;
}
die "cut" if $length;
rename $part, $output or die;
