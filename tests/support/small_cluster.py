"""A master, a worker and an executor of Spark, as processes of this machine."""

from __future__ import annotations

import logging
import os
import shutil
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from socket import socket
from typing import Any
from unittest.mock import patch

import pytest

BRIEF = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Java for programs that end soon: compiled quickly rather than well, and one thread collects garbage."""
SETTINGS = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.extraJavaOptions": BRIEF,
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.executor.extraJavaOptions": BRIEF,
    "spark.executor.memory": "1g",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


@contextmanager
def small_cluster(directory: Path) -> Iterator[Any]:
    """A session; what it writes is in the directory."""
    if shutil.which("java") is None:
        pytest.skip("there is no Java")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of pandas, which it finds too new
        home = Path(pytest.importorskip("pyspark", reason="there is no PySpark").__file__).parent
        sql: Any = import_module("pyspark.sql")
    places = {"SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_WORKER_DIR": str(directory / "work")}
    with patch.dict(os.environ, places):
        builder: Any = sql.SparkSession.builder.master("local-cluster[1,2,1024]").appName("corefscope tests")
        served = list(home.glob("jars/spark-connect_*.jar"))  # from PySpark 4 on
        for name, value in {**SETTINGS, **(_connect_settings() if served else {})}.items():
            builder = builder.config(name, value)
        builder = builder.config("spark.sql.warehouse.dir", str(directory / "warehouse"))
        session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    try:
        yield session
    finally:
        session.stop()


PORT = "spark.connect.grpc.binding.port"


def _connect_settings() -> dict[str, str]:
    """Serve the cluster by Spark Connect as well, on a port that is free."""
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    return {"spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin", PORT: str(port)}


@contextmanager
def connected(session: Any) -> Iterator[Any]:
    """A session of Spark Connect on the same cluster."""
    port = session.sparkContext.getConf().get(PORT)
    if port is None:
        pytest.skip("PySpark before 4.0 has no server of Spark Connect")
    logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        builder: Any = import_module("pyspark.sql.connect.session").SparkSession.builder
        remote = builder.remote(f"sc://127.0.0.1:{port}").create()
    try:
        yield remote
    finally:
        remote.stop()


def executors(session: Any) -> list[int]:
    """The numbers of the processes that are executors of the session."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                command = (process / "cmdline").read_bytes()
            except OSError:  # it has ended
                continue
            if b"CoarseGrainedExecutorBackend" in command and session.sparkContext.applicationId.encode() in command:
                found.append(int(process.name))
    return found
