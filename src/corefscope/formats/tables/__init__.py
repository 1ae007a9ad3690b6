"""Mentions that are ids: clusters, tables, Parquet."""
