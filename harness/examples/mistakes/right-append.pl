#!/usr/bin/env perl
# Appends by If-Range, looks where the answer begins, notes every 256 KB what is synced, goes on from
# there, and renames what is whole.
use strict; use IO::Socket::INET; use IO::Handle;
my ($url, $output, $folder) = @ARGV;
my ($host, $port, $path) = $url =~ m{http://([^:/]+):(\d+)(/.*)};
# The name of the part has the address and the version, so neither can be of another one.
sub name { my $tag = $url . $_[0]; $tag =~ s/([^\w])/sprintf "%02x", ord $1/ge; "$folder/part-$tag" }
open my $lock, ">", "$folder/lock" or die; use Fcntl ":flock"; flock $lock, LOCK_EX or die;
my ($etag, $done) = ('', 0);
if (open my $t, "$folder/state") { ($etag, $done) = split / /, <$t> // '' }
$done = 0 if !$etag || !$done || (-s name($etag) || 0) < $done;
sub note {
  open my $t, ">", "$folder/state.new" or die; print $t "$_[0] $_[1]" and $t->flush and $t->sync and close $t or die $!;
  rename "$folder/state.new", "$folder/state" or die;
}
sub get {
  my ($done) = @_;
  my $socket = IO::Socket::INET->new("$host:$port") or die;
  print $socket "GET $path HTTP/1.1\r\nHost: $host:$port\r\nConnection: close\r\n"
    . ($done ? "Range: bytes=$done-\r\nIf-Range: $etag\r\n" : "") . "\r\n";
  my $status = <$socket>; my ($length, $tag, $first) = (0, '', -1);
  while (<$socket>) {
    last if /^\r?\n$/; $length = $1 if /^Content-Length: (\d+)/i; $tag = $1 if /^ETag: (\S+)/i;
    $first = $1 if /^Content-Range: bytes (\d+)-/i;
  }
  return ($socket, $status, $length, $tag, $first);
}
my ($socket, $status, $length, $tag, $first) = get($done);
if ($done && ($status =~ / 416 / || $status =~ / 206 / && $first != $done)) {
  $done = 0; ($socket, $status, $length, $tag, $first) = get(0);
}
die "bad status $status" unless $status =~ / 20[06] /;
if ($status =~ / 200 /) { unlink name($etag) if $etag; $done = 0 }
# After a power cut the end of what was not synced may be zeros.
if (-e name($tag)) { truncate name($tag), $done or die }
open my $file, ">>", name($tag) or die; binmode $file;
my $noted = $done;
while ($length > 0 && (my $n = read $socket, my $piece, $length < 65536 ? $length : 65536)) {
  print $file $piece and $file->flush or die $!;
  $length -= $n; $done += $n;
  next if $done - $noted < 262144;
  $file->sync or die; note($tag, $noted = $done);
}
die "cut" if $length;
$file->sync or die;
rename name($tag), $output or die; unlink "$folder/state";
