"""The app: a static page that scores files in the browser by Pyodide; no file leaves the machine.

``files`` assembles the site, ``worker_api`` runs in the browser.
"""
