"""Where the points went: a taxonomy of errors, what each class of them costs, and scores of parts of the data.

``examine`` is the pass over the files, ``pairing`` says which mentions are meant for each other, ``taxonomy`` names
what is wrong, ``repair`` and ``attribution`` find out what it costs, ``slices`` scores parts.
"""
