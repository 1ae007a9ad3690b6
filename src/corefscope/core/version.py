"""The version, in one place: the package, the signature and the wheel all read it here."""

__version__ = "1.0.0"
SIGNATURE = f"corefscope|v{__version__}"
"""The signature of what no option decides, such as counts of what files hold."""
