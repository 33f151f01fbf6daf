"""Facts about resources that several rules ask for."""
