"""What each toolkit starts, from a job's wire form alone."""

import json
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bai.compiler.resources.job import JobProperties
from bai.compiler.resources.toolkits import TensorFlowSettings, Toolkit, process_count
from bai.runtime.errors import LaunchError
from bai.runtime.toolkits.registry import launch, tool_type, toolkit_keys
from bai.runtime.toolkits.task import Nodes, Style, placement

SCRIPT = {"pythonScriptFilePath": "$AZ_BATCHAI_INPUT_S/train.py"}
NODES = Nodes(
    2,
    addresses=("10.0.0.1", "10.0.0.2"),
    ports=(tuple(range(7000, 7010)), tuple(range(8000, 8010))),
    shared_temp="/shared",
)


def commands(found):
    return [task.command for task in found.tasks]


def where(found):
    return [(task.rank, task.node, task.local_rank) for task in found.tasks]


def test_horovod_starts_a_rank_on_each_node_by_default():
    found = launch({"horovodSettings": SCRIPT | {"commandLineArgs": "--lr '0.1 0.2'"}}, NODES)
    assert where(found) == [(0, 0, 0), (1, 1, 0)]
    assert commands(found) == [("python", SCRIPT["pythonScriptFilePath"], "--lr", "0.1 0.2")] * 2
    assert found.style is Style.HOROVOD
    assert found.labelled


def test_horovod_runs_under_mpirun_where_the_context_says_so():
    found = launch({"horovodSettings": SCRIPT | {"processCount": 3}}, NODES, mpirun=True)
    assert found.style is Style.MPI
    assert where(found) == [(0, 0, 0), (1, 0, 1), (2, 1, 0)]


@pytest.mark.parametrize("key", ["chainerSettings", "caffeSettings", "cntkSettings"])
def test_mpi_toolkits_need_mpirun_for_more_than_one_process(key):
    many = launch({key: SCRIPT}, NODES)
    assert (many.style, many.labelled, len(many.tasks)) == (Style.MPI, True, 2)
    one = launch({key: SCRIPT | {"processCount": 1}}, NODES)
    assert (one.style, one.labelled, len(one.tasks)) == (Style.ALONE, False, 1)


@pytest.mark.parametrize(
    ("key", "command"),
    [
        ("caffeSettings", ("caffe", "train", "--solver=$X/solver.txt", "-gpu", "all")),
        ("cntkSettings", ("cntk", "configFile=$X/solver.txt", "-gpu", "all")),
    ],
)
def test_configuration_files_run_the_toolkit_s_own_program(key, command):
    settings = {"configFilePath": "$X/solver.txt", "commandLineArgs": "-gpu all"}
    assert commands(launch({key: settings}, Nodes(1))) == [command]


def test_custom_mpi_runs_its_command_under_bash_in_every_rank():
    settings = {"commandLine": "echo $A | cat", "processCount": 4}
    found = launch({"customMpiSettings": settings}, NODES)
    assert commands(found) == [("echo $A | cat",)] * 4
    assert all(task.bash for task in found.tasks)
    assert found.style is Style.MPI


def test_custom_mpi_needs_mpirun_even_for_one_process():
    assert launch({"customMpiSettings": {"commandLine": "hostname"}}, Nodes(1)).style is Style.MPI


def test_custom_runs_once_on_the_first_node():
    found = launch({"customToolkitSettings": {"commandLine": "make all"}}, NODES)
    assert where(found) == [(0, 0, 0)]
    assert found.tasks[0].bash
    assert found.style is Style.ALONE


def test_caffe2_starts_one_process_for_each_node():
    found = launch({"caffe2Settings": SCRIPT}, NODES)
    assert [task.environment for task in found.tasks] == [
        {"AZ_BATCHAI_TASK_INDEX": "0"},
        {"AZ_BATCHAI_TASK_INDEX": "1"},
    ]
    assert [task.log_suffix for task in found.tasks] == ["-0", "-1"]


def test_pytorch_ranks_get_batch_ai_s_and_torch_s_variables():
    found = launch({"pyTorchSettings": SCRIPT | {"communicationBackend": "GLOO"}}, NODES)
    assert found.style is Style.ALONE
    assert found.tasks[1].environment == {
        "AZ_BATCHAI_TASK_INDEX": "1",
        "AZ_BATCHAI_PYTORCH_BACKEND": "gloo",
        "AZ_BATCHAI_PYTORCH_INIT_METHOD": "file:///shared/pytorch-init",
        "MASTER_ADDR": "10.0.0.1",
        "MASTER_PORT": "7000",
        "RANK": "1",
        "WORLD_SIZE": "2",
        "LOCAL_RANK": "0",
    }
    assert found.tasks[1].log_suffix == "-1"


@pytest.mark.parametrize(("count", "style"), [(1, Style.ALONE), (2, Style.MPI)])
def test_pytorch_s_mpi_backend_needs_mpirun(count, style):
    settings = SCRIPT | {"communicationBackend": "MPI", "processCount": count}
    assert launch({"pyTorchSettings": settings}, NODES).style is style


def test_tensorflow_has_a_master_workers_and_servers():
    settings = SCRIPT | {
        "masterCommandLineArgs": "--master",
        "workerCommandLineArgs": "--worker",
        "parameterServerCommandLineArgs": "--ps",
        "workerCount": 3,
        "parameterServerCount": 2,
    }
    found = launch({"tensorFlowSettings": settings}, NODES)
    assert [(task.name, task.command[-1], task.node) for task in found.tasks] == [
        ("worker 0", "--master", 0),
        ("worker 1", "--worker", 0),
        ("worker 2", "--worker", 1),
        ("parameter server 0", "--ps", 0),
        ("parameter server 1", "--ps", 1),
    ]
    assert [task.service for task in found.tasks] == [False, False, False, True, True]
    suffixes = [task.log_suffix for task in found.tasks]
    assert suffixes == ["-wk-0", "-wk-1", "-wk-2", "-ps-0", "-ps-1"]
    master, server = found.tasks[0].environment, found.tasks[4].environment
    workers = ["10.0.0.1:7000", "10.0.0.1:7001", "10.0.0.2:8000"]
    servers = ["10.0.0.1:7002", "10.0.0.2:8001"]
    assert master["AZ_BATCHAI_WORKER_HOSTS"] == ",".join(workers)
    assert master["AZ_BATCHAI_PS_HOSTS"] == ",".join(servers)
    assert json.loads(master["TF_CONFIG"]) == {
        "cluster": {"ps": servers, "worker": workers},
        "task": {"type": "master", "index": 0},
        "environment": "cloud",
    }
    assert json.loads(server["TF_CONFIG"])["task"] == {"type": "ps", "index": 1}
    assert server["AZ_BATCHAI_TASK_INDEX"] == "1"


def test_tensorflow_on_one_node_without_counts_is_not_distributed():
    found = launch({"tensorFlowSettings": SCRIPT}, Nodes(1))
    (task,) = found.tasks
    assert task.environment == {}
    assert task.log_suffix == "-wk-0"


@pytest.mark.parametrize(
    ("settings", "nodes", "names"),
    [
        ({}, 2, ["wk-0", "wk-1", "ps-0"]),
        ({"workerCount": 2}, 1, ["wk-0", "wk-1", "ps-0"]),
        ({"workerCount": 1}, 1, ["wk-0", "ps-0"]),
        ({"parameterServerCount": 1}, 1, ["wk-0", "ps-0"]),
        (
            {"workerCount": 3, "parameterServerCount": 2},
            2,
            ["wk-0", "wk-1", "wk-2", "ps-0", "ps-1"],
        ),
    ],
)
def test_distributed_tensorflow_has_a_server_by_default_which_is_no_rank(settings, nodes, names):
    found = launch({"tensorFlowSettings": SCRIPT | settings}, Nodes(nodes))
    assert [task.log_name for task in found.tasks] == names
    toolkit = TensorFlowSettings.model_validate(SCRIPT | settings)
    assert process_count(toolkit, nodes) == sum(not task.service for task in found.tasks)


def test_an_interpreter_of_the_job_s_own_takes_the_place_of_python():
    settings = SCRIPT | {"pythonInterpreterPath": "/opt/py/bin/python3"}
    assert commands(launch({"horovodSettings": settings}, Nodes(1)))[0][0] == "/opt/py/bin/python3"


def test_arguments_with_an_open_quote_are_refused():
    with pytest.raises(LaunchError, match="quote that does not close"):
        launch({"horovodSettings": SCRIPT | {"commandLineArgs": "--name 'x"}}, NODES)


def test_every_toolkit_of_the_wire_models_has_a_launch():
    from bai.compiler.resources.job import JobProperties
    from bai.specs.toolkits import TOOLKITS

    names = list(TOOLKITS.values())
    assert {field.alias for field in JobProperties.model_fields.values()}.issuperset(names)
    assert toolkit_keys({name: {} for name in names}) == names
    assert len(names) == 9


@given(st.integers(1, 64), st.integers(1, 16))
def test_placement_is_even_and_in_blocks(processes, nodes):
    found = placement(processes, nodes)
    assert len(found) == processes
    assert found == sorted(found)
    sizes = [sum(node == n for node, _ in found) for n in range(nodes)]
    assert max(sizes) - min(sizes) <= 1


def test_the_service_s_name_of_a_toolkit_comes_from_its_key():
    found = {}
    for field in JobProperties.model_fields.values():
        for model in get_args(field.annotation):
            if isinstance(model, type) and issubclass(model, Toolkit):
                found[field.alias] = model.tool_type
    assert len(found) == 9
    assert {key: tool_type({key: {}, "nodeCount": 1}) for key in found} == found
