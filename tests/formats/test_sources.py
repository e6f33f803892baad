import io
import os

import pytest

from reviewapp.errors import ImportFaults
from reviewapp.formats.readers import read_files
from reviewapp.formats.sources import Upload, base_name
from tests.formats.making import pdf
from tests.formats.reading import incoming


def write(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/home/anna/secret/report.txt", "report.txt"),
        ("C:\\Users\\anna\\report.txt", "report.txt"),
        ("../../report.txt", "report.txt"),
        ("report.txt", "report.txt"),
        ("a/b/", "b"),
        ("", "file"),
        ("/", "file"),
        ("e\u0301tude\n.txt", "étude .txt"),
    ],
)
def test_a_path_is_its_base_name(path, expected):
    assert base_name(path) == expected


def test_nothing_of_a_path_gets_out(tmp_path):
    folder = write(tmp_path / "anna" / "secret", {"report.txt": "5 kg", "bad.jsonl": "no json"})
    [record] = read_files([folder / "report.txt"]).records
    assert (record.name, record.source) == ("report", "report.txt")
    with pytest.raises(ImportFaults) as refused:
        read_files([folder / "bad.jsonl", folder / "missing.txt", folder / "x.png"])
    assert "anna" not in refused.value.message
    assert "secret" not in refused.value.message
    assert [fault.place for fault in refused.value.faults] == ["missing.txt", "x.png", "bad.jsonl, line 1"]


def test_uploads_may_come_with_a_path():
    [record] = read_files([Upload("/home/anna/secret/report.txt", b"5 kg")]).records
    assert (record.name, record.source) == ("report", "report.txt")


def test_files_of_a_folder_are_named_by_their_parts_below_it(tmp_path):
    folder = write(
        tmp_path / "anna" / "texts",
        {"b.txt": "1", "a/x.txt": "2", "a/deep/x.md": "3", "c.txt": "4", "c.html": "<p>5</p>", ".hidden.txt": "-",
         "~$b.docx": "-", ".git/x.txt": "-", "r.jsonl": '{"text":"6"}\n', "notes.xyz": "-", "p.png": "-", "q.png": "-"},
    )  # fmt: skip
    brought = read_files([folder])
    assert [(r.name, r.text, r.source) for r in brought.records] == [
        ("b", "1", "b.txt"),
        ("c.html", "5", "c.html"),
        ("c.txt", "4", "c.txt"),
        ("r line 1", "6", "r.jsonl"),
        ("a/x", "2", "x.txt"),
        ("a/deep/x", "3", "x.md"),
    ]
    assert brought.notes == ("2 files passed over (.png).", "1 file passed over (.xyz).")


def test_a_folder_that_a_browser_sends_is_like_one_on_disk():
    names = ["texts/b.txt", "texts/a/x.txt", "texts/a/deep/x.txt", "texts/c.txt", "texts/c.html", "texts/.DS_Store",
             "texts/~$b.docx", "texts/.git/x.txt", "texts/notes.xyz", "texts/b/x.txt", "texts/Größe/x.txt"]  # fmt: skip
    brought = read_files([Upload(name, name.encode()) for name in names])
    assert [r.name for r in brought.records] == ["b", "c.html", "c.txt", "Größe/x", "a/x", "a/deep/x", "b/x"]
    assert brought.notes == ("1 file passed over (.xyz).",)


@pytest.mark.parametrize("name", ["texts/../x.txt", "C:/anna/x.txt", "/home/anna/x.txt", "a\\b/x.txt", "a//x.txt"])
def test_of_other_paths_only_the_base_name_counts(name):
    [record] = read_files([Upload(name, b"5 kg")]).records
    assert (record.name, record.source) == ("x", "x.txt")


def test_a_folder_without_anything_to_read_is_a_fault():
    with pytest.raises(ImportFaults, match=r"folder: the folder holds no file that can be read"):
        read_files([Upload("texts/a.png", b"x"), Upload("texts/.x.txt", b"x")])


def test_links_out_of_the_folder_are_not_followed(tmp_path):
    secret = write(tmp_path / "elsewhere", {"secret.txt": "secret"})
    folder = write(tmp_path / "texts", {"a.txt": "5 kg"})
    (folder / "link.txt").symlink_to(secret / "secret.txt")
    (folder / "linked").symlink_to(secret, target_is_directory=True)
    brought = read_files([folder])
    assert [r.name for r in brought.records] == ["a"]
    assert brought.notes == ("1 file passed over (a link out of the folder).",)


def test_an_empty_folder_and_nothing_are_faults(tmp_path):
    with pytest.raises(ImportFaults, match="the folder holds no file that can be read"):
        read_files([tmp_path])
    with pytest.raises(ImportFaults, match="nothing was handed in"):
        read_files([])


@pytest.mark.skipif(os.name != "posix", reason="names of bytes are a matter of POSIX")
def test_names_that_are_no_text(tmp_path):
    with open(os.fsencode(tmp_path) + b"/gr\xf6\xdfe.txt", "wb") as file:  # noqa: PTH123
        file.write(b"5 kg")
    assert [r.name for r in read_files([tmp_path]).records] == ["gr\ufffd\ufffde"]


def test_a_pipe_is_no_file(tmp_path):
    os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises(ImportFaults, match="is not an ordinary file"):
        read_files([tmp_path / "pipe.txt"])


class OneWay(io.RawIOBase):
    """A stream that cannot go back."""

    def __init__(self, content):
        self._content = io.BytesIO(content)

    def readable(self):
        return True

    def readinto(self, buffer):
        return self._content.readinto(buffer)


@pytest.mark.parametrize("wrap", [bytes, io.BytesIO, OneWay], ids=["bytes", "stream", "one way"])
@pytest.mark.parametrize("size", [1, 200_000])
def test_uploads_are_bytes_or_streams(wrap, size):
    content = b"name,text\n" + b"".join(b"n%d,5 kg\n" % n for n in range(size // 10 + 1))
    brought = incoming("r.csv", b"name,text\na,5 kg\n") if size == 1 else read_files([Upload("r.csv", wrap(content))])
    assert len(brought.records) in (1, size // 10 + 1)


def test_a_callers_stream_stays_open(tmp_path):
    stream = io.BytesIO(b"5 kg")
    read_files([Upload("a.txt", stream)])
    assert not stream.closed
    (tmp_path / "spooled").write_bytes(b"5 kg")
    assert [r.name for r in read_files([Upload("b.txt", tmp_path / "spooled")]).records] == ["b"]


def test_faults_of_all_files_are_told_and_nothing_is_handed_on(tmp_path):
    folder = write(tmp_path, {"a.txt": "good", "b.jsonl": "bad\n", "c.csv": "name,text\nx,\n", "d.txt": ""})
    with pytest.raises(ImportFaults) as refused:
        read_files([folder])
    assert [fault.place for fault in refused.value.faults] == ["b.jsonl, line 1", "c.csv, line 2", "d.txt"]


def test_records_can_be_gone_through_again_and_by_two(tmp_path):
    data = pdf([(20, 20, "in a file")])
    (tmp_path / "b.pdf").write_bytes(data)
    (tmp_path / "a.txt").write_text("5 kg")
    spool = read_files([tmp_path]).records
    first, second = iter(spool), iter(spool)
    assert [next(first), *zip(first, [next(second), *second], strict=False)][0].name == "a"
    again = list(spool)
    assert [r.name for r in again] == ["a", "b"]
    assert again[1].file == data
    assert again == list(spool)
    assert len(spool) == 2
    spool.close()


def test_files_that_differ_in_their_ending_alone_keep_it_however_they_come(tmp_path):
    folder = write(tmp_path / "offers", {"offer.html": "<p>3 doors</p>", "offer.txt": "5 doors", "note.txt": "6 doors"})
    files = sorted(folder.iterdir())
    uploads = [Upload(path.name, path.read_bytes()) for path in files]
    named = [sorted(r.name for r in read_files(sources).records) for sources in ([folder], files, uploads)]
    assert named == [["note", "offer.html", "offer.txt"]] * 3
    assert [r.name for r in read_files([files[0], files[0]]).records] == ["note"], "one file given twice is one record"


def test_files_of_one_name_in_two_folders_are_refused_with_the_way_out(tmp_path):
    folder = write(tmp_path, {"a/offer.txt": "3 doors", "b/offer.txt": "5 doors"})
    with pytest.raises(ImportFaults, match=r"rename one .files of two folders differ where the folder above both is"):
        read_files([folder / "a" / "offer.txt", folder / "b" / "offer.txt"])
    assert sorted(r.name for r in read_files([folder]).records) == ["a/offer", "b/offer"]
