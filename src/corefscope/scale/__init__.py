"""Large inputs: arrays of labels, tables counted by DuckDB or Spark, and batches of documents."""
