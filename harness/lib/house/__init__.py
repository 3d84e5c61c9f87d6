"""What the scripts of harness share: options, runs of the rig, times, tables and records."""
