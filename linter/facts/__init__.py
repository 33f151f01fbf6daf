"""Facts about resources that several rules need."""
