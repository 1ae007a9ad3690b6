"""The official validator of Universal Dependencies, ``udvalidate --level 2 --coref``: its tests, by its ids.

What that program reads, it reads in its own way: the first header holds, a sentence with a fault in its tree is not
looked at further, brackets are closed by their text. So it is a reading of its own here, not a list of our codes.
Behaviour is that of udtools 0.2.9, where its tests are defective, too: see decision 032.
"""
