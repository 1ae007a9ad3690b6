"""The version, in one place: the package, the signature and the wheel all read it here."""

__version__ = "0.2.0"
