"""What anaphora is besides identity: plurals with split antecedents, bridging, expressions that do not refer."""
