"""/usr/lib/gatehouse/backup, run by the timer and before every upgrade, follows the same options as the server."""
import json

KEY = "4X41BrhhDR6g0eiA6R2_eS0UOT3jUqx2ePzn3c_TTF8"


def configured(machine, text):
    """A machine that has options in a JSON file, too."""
    here = machine().fill()
    (here.path / "etc/gatehouse.json").write_text(text)
    with open(here.path / "etc/default/gatehouse", "a", encoding="utf-8") as file:
        file.write(f"GATEHOUSE_CONFIG={here.path}/etc/gatehouse.json\n")
    return here


def back_up(here, status=0):
    """Makes a backup; returns its output and the first line of each backup that is there then."""
    said = here.run("systemctl start gatehouse-backup.service 2>&1", status)
    return said, [json.loads(file.read_bytes().split(b"\n", 1)[0]) for file in here.backups.iterdir()]


def test_the_folder_is_found_as_systemd_finds_it(machine):
    here = machine().fill()
    options = here.path / "etc/default/gatehouse"
    before = options.read_text(encoding="utf-8").replace(f"GATEHOUSE_DATA={here.data}\n", "")
    for number, line in enumerate((f'GATEHOUSE_DATA="{here.data}"', f"GATEHOUSE_DATA='{here.data}'", f"  GATEHOUSE_DATA={here.data} "), 1):
        options.write_text(f"{before}{line}\n", encoding="utf-8")
        here.run(f"/usr/lib/gatehouse/backup turn{number}".replace("/usr", f"{here.path}/usr"))
        assert len(list(here.backups.iterdir())) == number, line


def test_a_running_server_whose_database_it_does_not_find_ends_it(machine):
    here = machine().fill()
    options = here.path / "etc/default/gatehouse"
    options.write_text(options.read_text(encoding="utf-8").replace(f"GATEHOUSE_DATA={here.data}", "GATEHOUSE_DATA=/srv/none"), encoding="utf-8")
    said, made = back_up(here, status=1)
    assert "its database is not in" in said and not made
    here.run("systemctl stop")
    said, made = back_up(here)
    assert "nothing to back up" in said and not made


def test_without_options_it_is_made(machine):
    said, made = back_up(machine().fill())
    assert "up to change" in said and len(made) == 1 and "encryption" not in made[0]


def test_a_file_that_says_nothing_of_it_alters_nothing(machine):
    _, made = back_up(configured(machine, '{"environment": "production"}'))
    assert len(made) == 1 and "encryption" not in made[0]


def test_the_key_of_the_file_encrypts_it(machine):
    for text in (f'{{"backup-encrypt-to": "{KEY}"}}', f'{{\n\t"backup-encrypt-to":\n\t\t"{KEY}", "environment": "production"}}'):
        _, made = back_up(configured(machine, text))
        assert [each["encryption"]["publicKey"] for each in made] == [KEY]


def test_no_old_file_is_backed_up_for_a_database_elsewhere(machine):
    said, made = back_up(configured(machine, '{"database":"postgresql://gatehouse@db.example/gatehouse"}'))
    assert "pg_dump" in said and not made


def test_what_it_cannot_read_ends_it(machine):
    for text in ('{"backup-encrypt-to": "\\u0034X41"}', '{"database": ""}'):
        said, made = back_up(configured(machine, text), status=1)
        assert "/etc/default/gatehouse" in said and not made
    here = configured(machine, "{}")
    (here.path / "etc/gatehouse.json").unlink()
    said, made = back_up(here, status=1)
    assert "cannot be read" in said and not made


def test_the_newest_fourteen_are_kept_and_the_one_just_made_wherever_the_clock_is(machine):
    here = machine().fill()
    others = {f"daily-{year}0101T000000Z.backup" for year in range(2100, 2120)}
    for name in others | {"upgrade-20000101T000000Z.backup", "daily-mine.backup"}:
        (here.backups / name).write_text("another")
    said = here.run("systemctl start gatehouse-backup.service 2>&1")
    left = {file.name for file in here.backups.iterdir()}
    made = left - others - {"upgrade-20000101T000000Z.backup", "daily-mine.backup"}
    assert len(made) == 1 and min(made) < min(others), (said, left)
    assert left == made | set(sorted(others)[-13:]) | {"upgrade-20000101T000000Z.backup", "daily-mine.backup"}


def test_what_the_environment_says_goes_first(machine):
    here = configured(machine, '{"backup-encrypt-to": "\\u0034X41"}')
    with open(here.path / "etc/default/gatehouse", "a", encoding="utf-8") as file:
        file.write(f"GATEHOUSE_BACKUP_ENCRYPT_TO={KEY}\n")
    _, made = back_up(here)
    assert [each["encryption"]["publicKey"] for each in made] == [KEY]
