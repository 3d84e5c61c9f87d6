#!/usr/bin/env perl
# Starts over, tries again where an answer is cut, and renames what is whole.
use strict; use IO::Socket::INET; use IO::Handle;
my ($url, $output, $folder) = @ARGV;
my ($host, $port, $path) = $url =~ m{http://([^:/]+):(\d+)(/.*)};
my $part = "$folder/part-$$";
sub fetch {
  my $socket = IO::Socket::INET->new("$host:$port") or return "no connection";
  print $socket "GET $path HTTP/1.1\r\nHost: $host:$port\r\nConnection: close\r\n\r\n";
  my $status = <$socket> // return "no answer"; my $left = -1;
  while (<$socket>) { last if /^\r?\n$/; $left = $1 if /^Content-Length: (\d+)/i }
  return "status $status" unless $status =~ / 200 / && $left >= 0;
  open my $file, ">", $part or die; binmode $file;
  while ($left > 0 && (my $n = read $socket, my $piece, $left < 65536 ? $left : 65536)) {
    print $file $piece or die; $left -= $n;
  }
  return "cut" if $left;
  $file->flush && $file->sync or die; close $file or die; return '';
}
my $problem;
for (1 .. 3) { $problem = fetch() or last; select undef, undef, undef, 0.05 }
if ($problem) { unlink $part; die $problem }
rename $part, $output or die;
