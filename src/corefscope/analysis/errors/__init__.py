"""Errors of a response: their kinds, what each kind costs, and scores of parts of the data.

``examine`` is the pass over the files. ``pairing`` decides which mentions correspond and repairs responses, ``kinds``
is the registry of error kinds and finds the errors, ``attribution`` computes what they cost, ``slices`` scores parts
of the data, ``report`` is the result, ``text_diff`` marks mentions in the text.
"""
