"""Parameters of specs: their values, put in place of `${parameters.NAME}`."""
