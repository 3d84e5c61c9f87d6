#!/usr/bin/env perl
# Asks for the rest from one byte too far.
# shown by: anywhere calls
use strict; use IO::Socket::INET;
my ($url, $output, $folder) = @ARGV;
my ($host, $port, $path) = $url =~ m{http://([^:/]+):(\d+)(/.*)};
my $done = -s $output || 0;
my $from = $done ? $done + 1 : 0;
my $socket = IO::Socket::INET->new("$host:$port") or die;
print $socket "GET $path HTTP/1.1\r\nHost: $host:$port\r\nConnection: close\r\n"
  . ($done ? "Range: bytes=$from-\r\n" : "") . "\r\n";
my $status = <$socket>; my $length = 0;
while (<$socket>) { last if /^\r?\n$/; $length = $1 if /^Content-Length: (\d+)/i }
exit 0 if $status =~ / 416 /;
die "bad status $status" unless $status =~ / 20[06] /;
open my $file, ($status =~ / 206 / ? ">>" : ">"), $output or die; binmode $file;
while ($length > 0 && (my $n = read $socket, my $piece, $length < 65536 ? $length : 65536)) {
  print $file $piece; $file->flush; $length -= $n;
}
die "cut" if $length;
