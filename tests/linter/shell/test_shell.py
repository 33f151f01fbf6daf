"""Mistakes in command lines are found where they stand; correct command lines are left alone."""

import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bai.linter.shell.issues import MAX_LENGTH, find_issues
from bai.linter.shell.lexer import sequences

# A command line, with what is wrong in it between « and ».
WRONG = {
    "install-asks": [
        "«apt install» mpi-default-bin",
        "apt update; «apt-get install» --no-install-recommends libopenmpi-dev && true",
        "sudo -E «apt-get -q install» git",
        "DEBIAN_FRONTEND=noninteractive «apt-get install» git",
        "(cd /tmp && «apt-get install» git)",
        "if true; then «apt-get upgrade»; fi",
        "echo git | xargs «apt-get install»",
        "x=$(«apt install» git)",
        "bash -c '«apt install» git'",
        'bash -lc "cd /tmp && «apt install» git"',
        "«/usr/bin/apt-get -t stretch-backports install» git",
        "echo -y; «apt install» git",
        "apt update\n«apt install» git # -y",
        "«yum install» git",
        "«dnf -q update» && make",
        "«pip uninstall» torch",
    ],
    "pipe-hides-failure": [
        "«curl -L https://x/y.sh | bash»",
        "«curl x | sudo bash -»",
        "«curl x | sh -ex -o nounset»",
        "«curl x | python3 - --version 3»",
        "«curl x | perl -w»",
        "«curl x | tee y»",
        "«curl x | unzip»",
        "cd /tmp && «wget -qO- https://x | bash -s -- -b»; true",
        "«python train.py --epochs 3 2>&1 | tee log.txt»",
        "«python train.py |& tee log.txt»",
        "«X=1 timeout 10m python3 train.py | tee log»",
        "«mpirun -n 2 python t.py | sed s/a/b/ | tee log»",
        "«./train.sh | tee log» && echo done",
        "«python train.py --epochs 3 2>&1 | tail -5»",
        "cd x && «horovodrun -np 2 python train.py | grep -v Warning»; date",
        "«mpirun -n 2 python t.py |& cat»",
        "«python t.py | grep -v Warning | tail -n 20»",
        "echo hi | cat; «bash prepare.sh | tee log»",
        "«curl x | bash»; set -o pipefail",
        "bash -o pipefail -c true; «curl x | bash»",
        "set -o pipefail; bash -c '«curl x | bash»'",
        "bash -c '«curl x | bash»' -o pipefail",
        "bash +o pipefail -c '«curl x | bash»'",
        "bash -o errexit -c '«curl x | bash»'",
        "«bash -eo pipefail train.sh | tee log»",
    ],
    "unquoted-variable": [
        "rm -rf «$DATA»/tmp",
        "rm -rf «${DATA}»",
        "mkdir -p «$OUT»",
        "cd «$OUT» && ls",
        "cp a.txt «$OUT»/b",
        "mv «${X:-a}» b",
        "test -f «$X»",
        "[ -z «$X» ] && exit 1",
        "sudo rm «$X»",
        "for f in *.txt; do rm «$f»; done",
        "X='a b'; cd «$X»",
        "X=$(cat name); cd «$X»",
        'X="$Y"; cd «$X»',
        "bash -c 'cd «$X»'",
        "echo $(cd «$X» && pwd)",
        "é=1; cd «$X»",
        "D=$(date); mv log log-«$D»",
        "D=$(date '+%F %T'); mv log log-«$D»",
        'B=$(basename "$X"); rm «$B»',
        'for x in "$X"; do rm «$x»; done',
        "IFS=,; for x in $X; do rm «$x»; done",
        "while read -r a b; do rm $a «$b»; done",
        "X=$1; cd «$X»",
        "X=$(wc -l f); cd «$X»",
        "[ 1 -eq 1 -a «$X» = a ]",
    ],
    "cd-unchecked": [
        "«cd build»; rm -rf *",
        "«cd build»; make; rm -rf out",
        "«cd $AZ_BATCHAI_JOB_TEMP/x»\nrm -r ./*",
        "(«cd build»; rm *)",
        "«cd $AZ_BATCHAI_JOB_MOUNT_ROOT/data/x»; rm -rf old",
        "bash -e -c true; «cd build»; rm *",
        "bash -uc '«cd build»; rm *'",
        "«cd build»; rm --recursive out",
    ],
    "end-hides-failure": [
        "«python train.py; echo done»",
        "set -x; «X=1 python3 -u train.py\ndate\necho ended»\n",
        "cd x && «mpirun -n 2 python t.py; printf ended»",
    ],
    "open-heredoc": [
        "cat «<<EOF» > x; make",
        "cat > x «<<EOF»\na\n  EOF\nmake",
        "cat > x «<<EOF»\na\n\tEOF\nmake",
        "cat > x «<<EOF»\na\nEOF \nmake",
        "cat > x <<A\nEOF\nA\ncat > y «<<-EOF»\n\ta\nEOF;\n",
        "bash -c 'cat «<<E» > x\na'",
    ],
    "misread-requirement": [
        "pip install «torch>=1.0»",
        "pip3 install -U «torch>=1.0,<2» numpy && make",
        "pip install «numpy<2»",
        "python -m pip install «torch[all]>1.0»",
        "pip install «torch >=1.0»",
        "pip install «torch >=» 1.0",
        "pip install «torch ==1.0»",
        "pip install a «torch ==» 1.0",
        "pip install -U «torch =» 1.0",
        "pip install a «torch=1.0»",
        "pip install «numpy,» scipy",
        "pip install -q «numpy==1.0,» scipy",
        "conda install -y «python>=3.6»",
        "bash -c 'pip install «numpy<2»'",
        'bash -c "pip install «numpy<2»"',
    ],
    "escaped-blank": [
        "python train.py «\\» --lr 0.1",
        "python train.py «\\  »\n  --lr 0.1",
    ],
    "swallowed": [
        "python train.py --tag «#5»",
        "python train.py --color «#ff00aa» && make",
        "make; python train.py -t «#exp» --lr 0.1\nmake",
    ],
    "folded-blank": ["make «\\» && make install", "python «\\» train.py"],
    "unreadable": [
        "echo «'»starting && python train.py",
        'python train.py --name «"»first try',
        "echo it«'»s done",
        'echo "a" «"»b',
        "echo «$'»a\\'",
        "echo «$(»date",
        'echo "«$(»date"',
        "echo «`»date",
        "echo «${»HOME",
        "«(»cd build; make",
        "cat «<(»date",
        "make «)»",
        "make «&&»",
        "make && \\\n  make install «&&»\n  # done\n",
        "(make «||») && true",
        "make «|»",
        "pip install x «&&» ",
        "python server.py & «;» python train.py",
        "make;\n«;» make install",
        "make\n«&&» make install",
        "«&&» make",
        "make && «&&» make install",
        "python train.py «>»",
        "python train.py «>»; echo done",
        "«if» [ -f x ]; then make",
        "«for» i in 1 2; do make; echo",
        "while true; do «if» make; then break; done",
        "{ make; }; «{» make install",
        "make; «done»",
        "if true; then make; fi; «fi»",
        "bash -c 'make «&&»'",
        'bash -c "echo «\'»a"',
    ],
}


@pytest.mark.parametrize(
    ("kind", "marked"), [(kind, text) for kind, texts in WRONG.items() for text in texts]
)
def test_a_mistake_is_found_where_it_stands(kind, marked):
    text = marked.replace("«", "").replace("»", "")
    start = marked.index("«")
    (found,) = find_issues(text)
    assert found.kind == kind
    assert text[found.start : found.end] == text[start : marked.index("»") - 1]


RIGHT = [
    "",
    "i=0; while [ $i -lt 3 ]; do i=$((i+1)); done",
    "n=0; until make || [ $n = 5 ]; do n=$((n + (2 * 1))); sleep 1; done",
    "code=$?; [ $code = 0 ] || exit $code",
    "[ ${PIPESTATUS[0]} = 0 ] && exit 1",
    "n=$#; [ $n = 1 ]; n=${#X}; [ $n = 1 ]",
    "n=$((1+2)); [ $n = 1 ]",
    "pid=$!; [ -d /proc/$pid ]",
    "for i in $(seq 3); do [ $i = 1 ]; mkdir run-$i; done",
    "for i in {1..3} $X; do rm $i; done",
    "for x in a b c; do [ $x = a ]; done",
    "for ((i=0; i<3; i++)); do rm $i; done",
    "N=$(nvidia-smi -L | wc -l); [ $N = 0 ]",
    "N=$(nvidia-smi -L 2>/dev/null | wc -l || echo 0); mkdir $N",
    "[ ${N:-0} -gt 0 ]; [ 1 -le $N ] && test $N -ne 3",
    'D=$(date +%F); mv log log-$D; T=$(date -u "+%H:%M"); mkdir $T',
    'D="run-$(date +%s)-$(hostname)"; mkdir $D',
    "N=$(wc -l < f); mv a $N; C=`grep -c x f`; mkdir $C",
    "B=$(basename $AZ_BATCHAI_JOB_TEMP); mkdir $B",
    "P=$(ps | awk '{print $2}'); mkdir $P",
    "R=$(git rev-parse --short HEAD); mkdir /tmp/$R",
    "cd $AZ_BATCHAI_JOB_TEMP; rm -rf x",
    'cd "${AZ_BATCHAI_JOB_TEMP}"; rm -rf x',
    "cd $AZ_BATCHAI_JOB_MOUNT_ROOT/results; rm -rf old",
    "cd ${AZ_BATCHAI_JOB_MOUNT_ROOT}/results/; rm -rf old",
    "bash $AZ_BATCHAI_JOB_MOUNT_ROOT/scripts/horovod/jobprep_benchmark.sh",
    "apt update; apt install mpi-default-dev mpi-default-bin -y; pip install keras horovod",
    "apt-get update -y && apt-get install --yes git",
    "apt-get -qqy install git",
    "apt-get -qq install git",
    "apt-get --assume-yes install git",
    "apt-get install git -yq",
    "apt-get -o APT::Get::Assume-Yes=true install git",
    "apt-get install $APT_OPTS git",
    "yes | apt install git",
    "echo y | sudo apt-get install git",
    "apt-get install git <<< y",
    "apt-get -s install git",
    "apt list | grep mpi",
    "apt-cache search install",
    "echo 'APT::Get::Assume-Yes \"true\";' > /etc/apt/apt.conf.d/90yes; apt-get install git",
    "echo 'apt install git'",
    'echo "apt install git"',
    "# apt install git",
    "cat > x <<EOF\napt install git\nEOF\necho done",
    "set -o pipefail; curl x | bash",
    # They fail themselves on a stream that breaks off, and on an empty one.
    "curl x | tar xz",
    "curl x | tar -xf - -C data",
    "wget -qO- x | gunzip > y",
    "curl x | cpio -i",
    "curl x | unzip -o -",
    "curl x | bash -c 'grep y'",
    "curl x | python3 -c 'import json, sys; json.load(sys.stdin)'",
    "curl x | python3 -m json.tool",
    "curl x | perl -ne print",
    "curl x | bash train.sh",
    "set -euo pipefail\npython t.py | tee log",
    "bash -c 'set -o pipefail; python t.py | tee log'",
    "bash -o pipefail -c 'python t.py | tee log'",
    'sh -euo pipefail -c "python t.py | tee log"',
    "bash --norc -ceuo pipefail 'python t.py | tee log'",
    "bash -c -o pipefail -- 'python t.py | tee log'",
    "bash --rcfile x -O extglob -o pipefail -c 'python t.py | tee log' name",
    "bash -eo pipefail train.sh",
    "bash -ec 'cd build; rm -rf *'",
    "python t.py | tee log; exit ${PIPESTATUS[0]}",
    "set -o pipefail; python t.py | tail -5",
    "python t.py | tail -5; exit ${PIPESTATUS[0]}",
    "pip list | grep torch",
    "pip install torch | tail -1",
    "python -c 'import torch; print(torch.__version__)' | grep 1.0",
    "python setup.py --name | tail -1",
    "python gpus.py | grep -q K80",
    "python gpus.py | grep K80 && python train.py",
    "python gpus.py | grep K80 || exit 1",
    "if python gpus.py | grep K80; then echo; fi",
    "python names.py | tail -n +2 > names.txt",
    'x=$(python names.py | tail -1); mkdir "$x"',
    "ls *.py | grep train",
    "cat train.py | tail -5",
    "python t.py | head -5",
    "echo x | bash",
    "yes | pip install x",
    "cat a | tee b",
    "curl -o x.tgz https://x && tar xf x.tgz",
    "curl https://x > log",
    "X=$(python --version | sed s/a/b/)",
    "python --version | tee versions.txt",
    "ls | grep x | tee y",
    "if curl x | tar xz; then echo; fi",
    "python t.py || tee log",
    "cd $AZ_BATCHAI_JOB_TEMP",
    "rm -rf ${AZ_BATCHAI_OUTPUT_MODEL}/x",
    'rm -rf "$X"',
    'rm -rf "${X}/a b"',
    "rm -rf '$X'",
    "rm -rf \\$X",
    "cp ${mounts.code}/x ${inputs.data}",
    "cd $HOME; cp x $PWD/y",
    "X=/tmp/x; rm -rf $X",
    "X=$AZ_BATCHAI_MOUNT_ROOT/x; Y=$X/z; mkdir -p $Y && cd $Y",
    "X=$(mktemp -d); cd $X",
    "for n in a b c; do mkdir -p $n; done",
    "cp $FILES /tmp",
    "rm -f $TMP_FILES",
    "echo $X",
    "python train.py --dir $X",
    "[[ -z $X ]]",
    "[ $? -eq 0 ]",
    "[ $# -gt 1 ]",
    "test ${#X} -gt 1",
    "cd build && rm -rf *",
    "cd build || exit 1; rm -rf *",
    "set -e; cd build; rm -rf *",
    "cd build; rm -rf /tmp/x",
    "cd build; rm log.txt",
    "cd build; make",
    "cd /tmp; rm -rf x",
    "mkdir -p build; cd build; rm -rf *",
    "(cd build; make); rm -rf x",
    "if cd build; then rm -rf *; fi",
    "make; make install;",
    "python server.py & python train.py &",
    "make &&\n\n  # then\n  make install",
    "make; # it's done",
    "for ((i = 0; ; i++)); do make; done",
    "for ((;;)); do break; done",
    "x=$((1 + (2 * 3)))",
    "echo ${X:-'}'} ${X:-\"a}b\"}",
    "case $X in a) make;; *) true;; esac",
    'echo $(case x in a) echo "b";; esac)',
    "f() { make; }; f",
    "function f { make; }; f",
    "echo { } fi done",
    "dd if=/dev/zero of=x",
    "[[ $X =~ [()] ]]",
    'echo "`echo \\"a\\"`"',
    "python - <<EOF\nprint('it')  # it's\nEOF\n",
    "python <SCRIPT>",
    "echo a > x; echo b >> x 2>&1 &",
    "time -p { make; }",
    "select x in a b; do break; done",
    "echo \\' \\( \\\" $'it\\'s'",
    "python train.py --quick #debug",
    "python train.py --quick # 5\nmake --all #--lr 0.1",
    "make all #5\n#5 --all\npython train.py --tag '#5' --x=#5 --y a#5",
    "make --all #TODO add --lr",
    "set -e; python t.py; echo done",
    "python t.py && echo done",
    "python t.py; echo $?",
    "python t.py || exit 1; echo done",
    "if python t.py; then x; fi; echo done",
    "for i in 1 2; do python t.py; done; echo done",
    "python t.py & echo started",
    "trap 'x' ERR; python t.py; echo done",
    "python t.py; true",
    "pip install 'a==1.0,<2' --config-settings a=1 -f x, numpy",
    "pip install git+https://x/y@v=1 ./a=1 x; conda install a=1.0",
    "read -r X < file; echo a | read -p x Y",
    "yum install -y git && dnf -y update",
    "pip uninstall -y torch; yes | pip uninstall x",
    "conda install numpy; apk add git",
    "cat <<A <<B\na\nA\nb\nB\nmake",
    "cat <<-EOF > x\n\ta\n\tEOF\nmake",
    "cat > x <<'END OF IT'\na\nEND OF IT",
    "X=$(cat <<EOF\na\nEOF\n)",
    "X=$(cat <<EOF\na\nEOF)",
    "x=$((1 << 2)); cat <<< x",
    "pip install 'torch>=1.0' \"numpy<2\" a==1.0 > log 2>&1",
    "pip install -r all.txt >pip.log </dev/null",
    "pip install x 2>1.log; pip list >2",
    "cp My\\ Folder/a b",
    "cut -d\\  -f2; IFS=\\ ",
    "python train.py \\\n  --lr 0.1",
]


@pytest.mark.parametrize("text", RIGHT)
def test_a_correct_command_line_is_left_alone(text):
    assert find_issues(text) == []


# No backquotes and no `[[`: `bash -n` leaves their content to the run.
WORDS = [
    *(
        "a ",
        "b c ",
        "'",
        '"',
        "$(",
        ")",
        "(",
        "${X",
        "}",
        "${X:-y}",
        "&&",
        "||",
        "|",
        ";",
        "&",
        "\n",
    ),
    *(
        " ",
        "if ",
        "then ",
        "fi ",
        "; do ",
        "done ",
        "for i in a; ",
        "while x",
        "{ ",
        "; }",
        "> ",
        "<",
    ),
    *("2>&1 ", "((", "))", "$((", "$'", "\\", "#", " # c", "!", "x=(1 2) ", "<<E\nz\nE\n", "f() "),
    *("time ", "<(", ">(", "else ", "a='b' ", '"$X" '),
]


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
@settings(max_examples=30)
@given(st.lists(st.sampled_from(WORDS), max_size=12).map("".join))
def test_bash_refuses_what_is_reported_to_be_unreadable(text):
    if any(one.kind == "unreadable" for one in find_issues(text)):
        asked = ["bash", "-n", "-c", text]
        assert subprocess.run(asked, capture_output=True, check=False).returncode


def test_names_that_never_hold_spaces_are_the_callers_to_leave_out():
    assert find_issues("cd $DATA", spaceless={"DATA"}) == []
    assert [one.kind for one in find_issues("cd $DATA", spaceless={"DAT"})] == ["unquoted-variable"]


def test_what_stands_before_a_missing_command_is_looked_at():
    kinds = [one.kind for one in find_issues("apt install x; make &&")]
    assert kinds == ["install-asks", "unreadable"]
    assert [one.kind for one in find_issues("apt install x; echo 'a")] == ["unreadable"]


def test_several_mistakes_come_in_order_of_place():
    text = "cd $X; curl y | bash; apt install z; cd a; rm -rf *"
    kinds = ["unquoted-variable", "pipe-hides-failure", "install-asks", "cd-unchecked"]
    assert [one.kind for one in find_issues(text)] == kinds


@pytest.mark.parametrize(
    "text",
    [
        one.replace("«", "").replace("»", "")
        for kind in ("install-asks", "escaped-blank")
        for one in WRONG[kind]
    ],
)
def test_an_edit_mends_a_mistake(text):
    (found,) = find_issues(text)
    ((start, end, new),) = found.edits
    assert find_issues(text[:start] + new + text[end:]) == []


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("pip install torch>=1.0,<2 x", 'pip install "torch>=1.0,<2" x'),
        ("pip install torch>=$V", None),
        ("pip install a[b]=1.0, c", "pip install a[b]==1.0 c"),
        ("pip install a, c", "pip install a c"),
        ("pip install torch >=1.0", None),
        ("pip install torch  ==1.0", "pip install torch==1.0"),
        ("bash -c 'pip install numpy<2'", "bash -c 'pip install \"numpy<2\"'"),
        ('bash -c "pip install numpy<2"', "bash -c \"pip install 'numpy<2'\""),
    ],
)
def test_a_requirement_gets_quotes_where_they_are_read_so(text, fixed):
    (found,) = find_issues(text)
    for start, end, new in reversed(found.edits):
        text = text[:start] + new + text[end:]
    assert fixed is None if not found.edits else text == fixed


def test_a_prompt_that_nobody_answers():
    (found,) = find_issues("make; read -p 'Go on?' X; make install")
    assert (found.kind, found.start, found.edits) == ("install-asks", 6, [])


def test_deletion_of_an_empty_variable_is_refused_too():
    (found,) = find_issues("rm -rf $X/")
    assert '"${X:?}"' in found.hint


def test_words_have_the_values_that_bash_gives_them():
    text = """a 'b c' "d e"f g\\ h $'i' 2>/dev/null "$(j "k")" > l m#n #o"""
    *_, outer = sequences(text)
    (command,) = outer.commands
    assert [word.value for word in command.words] == ["a", "b c", "d ef", "g h", "i", "$()", "m#n"]


PIECES = st.sampled_from(
    [
        *("apt install x", "rm -rf ", "cd ", "$X", "${X", "}", "$(", "`", "(", ")", '"', "'", "\\"),
        *("|", "&&", ";", "\n", "<<E", "E\n", "<(", ">", "2>&1", "if ", "done", "{ ", "bash -c "),
        *("#", "$'"),
    ]
)
TEXTS = st.text() | st.lists(PIECES | st.text(max_size=3), max_size=40).map("".join)


@given(TEXTS)
def test_any_text_gives_mistakes_within_it(text):
    for one in find_issues(text):
        assert 0 <= one.start < one.end <= len(text)
        assert all(0 <= start <= end <= len(text) for start, end, _ in one.edits)


@given(TEXTS)
def test_any_text_gives_words_within_it(text):
    for sequence in sequences(text):
        for command in sequence.commands:
            for word in command.words:
                assert 0 <= word.start <= word.end <= len(text)
                for variable in word.variables:
                    assert word.start <= variable.start < variable.end <= word.end


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    [
        *("(", "$(", "`", '"', '"$(', "a|", "{ ", "if ", "$X ", "${", "<<a ", "<<a\n", "bash -c '"),
        *(";", "rm $X;", "X=$X;", "apt install ", "apt -q", "cd a;", "<(", "$'\\", "sudo ", "'"),
        *(
            "a`(",
            "rq",
            "\\ ",
            "\\ a ",
            "pip install x>=1;",
            "pip install x > 1 ",
            "-a #b\n",
            "<<a #b\n",
        ),
    ],
)
def test_a_long_text_takes_linear_time(piece):
    find_issues("apt install rm cd | " + piece * (MAX_LENGTH // len(piece) - 20))
