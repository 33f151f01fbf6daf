"""How the findings of a plan are shown: in the order of the text, with the lines they are about."""

import re

JOB = "    {}:\n      nodeCount: 9\n      mounts: {{r: azureFile:r, g: 'file:gone'}}\n"
END = "      logs: ${mounts.r}\n      custom: {command: 'true'}\n"


def spec(bai, *names, **more):
    return bai.write("".join(JOB.format(name) + END for name in names), scale=9, **more)


def places(reported):
    found = re.findall(r"^(\S+):(\d+):(\d+): error", reported, re.MULTILINE)
    return [(file, int(line), int(column)) for file, line, column in found]


def test_findings_come_in_the_order_of_the_text_file_by_file(bai):
    spec(bai, "b", "a", name="z.yaml")
    other = spec(bai, "c", name="y.yaml")
    other.write_text(
        other.read_text().replace("name: test", "name: other").replace(" c: {", " d: {")
    )
    for verb in ("diff", "apply"):
        found = places(bai.run(verb, "z.yaml", "y.yaml", code=2).stderr)
        assert [file for file, _, _ in found] == ["z.yaml"] * 5 + ["y.yaml"] * 3
        assert found[:5] == sorted(found[:5])
        assert found[5:] == sorted(found[5:])


def test_a_spec_from_standard_input_is_shown_as_a_file_is(bai):
    path = spec(bai, "j")
    text = path.read_text()
    for verb in ("diff", "apply"):
        reported = bai.run(verb, "-", input=text, code=2).stderr
        assert reported == bai.run(verb, path.name, code=2).stderr.replace(path.name, "<stdin>")
        assert "|       mounts: {r: azureFile:r, g: 'file:gone'}" in reported


def test_a_file_beside_standard_input_shows_its_own_lines(bai):
    wrong = bai.folder / "wrong.yaml"
    wrong.write_text(spec(bai, "j").read_text().replace("nodeCount", "nodeCuont"))
    reported = bai.run("diff", "-", wrong.name, input="# nothing here\n" * 20, code=2).stderr
    assert " |       nodeCuont: 9" in reported
