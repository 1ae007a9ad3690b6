"""Broken files, and what must hold for each of them: ``make fuzz``.

``seeds`` makes small good files of every format, ``mutators`` breaks them, ``checks`` reads, validates, scores and
converts what comes out, ``counts`` counts mentions without any code of the package, ``minimise`` makes what fails
short. ``pairs`` is another thing: good files, scored beside the independent oracle.
"""
