#!/usr/bin/perl
# Appends two hundred lines to a log, and says each.
# Its mistake: a line is said that is still in the buffer of the log.
#
#   buffered.pl run FOLDER
#   buffered.pl check FOLDER SAID    0 if every line that was said is there, and 1 if not
use strict;
use warnings;

my ($what, $folder, $said) = @ARGV;

sub lines {
    my ($name) = @_;
    open(my $file, '<', $name) or return 0;
    my @lines = <$file>;
    return scalar(@lines);
}

my $done = lines("$folder/log");
if ($what eq 'check') {
    my $promised = lines($said);
    print "$done lines are there, and $promised were said\n" if $done < $promised;
    exit($done < $promised ? 1 : 0);
}
open(my $log, '>>', "$folder/log") or die "log: $!";
$| = 1;
for my $number ($done + 1 .. 200) {
    print $log "line $number\n";
    print "$number\n";
    select(undef, undef, undef, 0.005);
}
close($log) or die "log: $!";
