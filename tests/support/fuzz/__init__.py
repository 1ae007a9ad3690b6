"""Broken files, and what must hold for each of them: ``make fuzz``.

``seeds`` makes small good files of every format, ``mutators`` breaks them, ``checks`` reads, validates, scores,
explains and converts what comes out, ``counts`` counts mentions without any code of the package, ``minimise`` makes
what fails short. That no error is silent is checked by ``silence``, beside this package. ``pairs`` is another thing:
good files, scored beside the independent oracle.
"""
