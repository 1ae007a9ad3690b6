"""The app: a static page that scores files in the browser; Python runs there, and no file leaves the machine.

``files`` is what the page consists of, ``worker_api`` is what runs in it.
"""
