"""Writers: from documents to files."""
