#!/usr/bin/env perl
# Put this file where a pipeline expects scorer.pl: corefscope scores, and prints the same TOTALS.
# It runs the command corefscope-conll, which "pip install corefscope" installs, or what COREFSCOPE_CONLL names.
use strict;
use warnings;

my $program = $ENV{COREFSCOPE_CONLL} || "corefscope-conll";
{ no warnings "exec"; exec { $program } $program, @ARGV; }
die "scorer.pl: $program is not there: pip install corefscope\n";
