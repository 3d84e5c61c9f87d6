#!/usr/bin/env perl
# Appends the answer without looking whether it is the rest or the whole.
# shown by: ignored-range changed
use strict; use IO::Socket::INET;
my ($url, $output, $folder) = @ARGV;
my ($host, $port, $path) = $url =~ m{http://([^:/]+):(\d+)(/.*)};
my ($part, $tag) = ("$folder/part", "$folder/etag");
my $done = -s $part || 0;
my $etag = ''; if (open my $t, $tag) { $etag = <$t> }
my $socket = IO::Socket::INET->new("$host:$port") or die;
print $socket "GET $path HTTP/1.1\r\nHost: $host:$port\r\nConnection: close\r\n"
  . ($done ? "Range: bytes=$done-\r\nIf-Range: $etag\r\n" : "") . "\r\n";
my $status = <$socket>; my $length = 0;
while (<$socket>) {
  last if /^\r?\n$/; $length = $1 if /^Content-Length: (\d+)/i; $etag = $1 if /^ETag: (\S+)/i;
}
die "bad status $status" unless $status =~ / 20[06] /;
open my $t, ">", $tag; print $t $etag; close $t;
open my $file, ">>", $part or die; binmode $file;
while ($length > 0 && (my $n = read $socket, my $piece, $length < 65536 ? $length : 65536)) {
  print $file $piece; $file->flush; $length -= $n;
}
die "cut" if $length;
rename $part, $output or die;
