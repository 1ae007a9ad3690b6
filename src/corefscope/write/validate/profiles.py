"""Profiles: whose tests a file must pass, and the sides it can be checked for."""

from __future__ import annotations

SIDES = {"key": "as a key", "response": "as a response"}
"""The sides of a score that a file may be checked for; it matters where one file may hold both."""
OWN = "corefscope"
PROFILES = {
    OWN: "what our readers refuse, lose or find odd, by our codes",
    "ud": "what the official validator says (udvalidate --level 2 --coref), by its ids",
}
"""What the tests of each profile find."""
