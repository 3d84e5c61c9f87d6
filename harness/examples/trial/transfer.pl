#!/usr/bin/perl
# Moves a hundred coins from one account to the other, of which each is a file, and says each.
# Its mistake: what belongs together is renamed by two calls.
#
#   transfer.pl run FOLDER
#   transfer.pl check FOLDER SAID    0 if no coin is lost or made, and 1 if one is
use strict;
use warnings;
use IO::Handle;

my ($what, $folder, $said) = @ARGV;

sub value {
    my ($name) = @_;
    open(my $file, '<', "$folder/$name") or return undef;
    return 0 + <$file>;
}

sub save {
    my ($name, $value) = @_;
    open(my $file, '>', "$folder/$name.new") or die "$name.new: $!";
    print $file "$value\n";
    $file->flush and $file->sync or die "$name.new: $!";
    close($file) and rename("$folder/$name.new", "$folder/$name") or die "$name: $!";
}

if ($what eq 'check') {
    my ($from, $to) = (value('from'), value('to'));
    # Until both are there, nothing has been moved.
    exit 0 unless defined $to;
    my $coins = (defined $from ? $from : 0) + $to;
    print "there are $coins coins, and not 100\n" if $coins != 100;
    exit($coins == 100 ? 0 : 1);
}
unless (defined value('to')) {
    save('from', 100);
    save('to', 0);
}
STDOUT->autoflush(1);
while (value('from') > 0) {
    save('from', value('from') - 1);
    save('to', value('to') + 1);
    print value('to'), "\n";
    select(undef, undef, undef, 0.005);
}
