"""The rules, in folders by the hundreds of their codes."""
