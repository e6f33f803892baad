"""The schema of the server's file: what is about people and machines. Append only, as the workspace's."""

from __future__ import annotations

from sqlite_utils import Database, Migrations

from reviewapp.store.statements import run

SERVER_ID = 0x52564153
"""``application_id`` of the server's file ("RVAS")."""

server_migrations = Migrations("server")


@server_migrations()
def leases(db: Database) -> None:
    run(
        db,
        """create table leases (
            name text primary key,
            holder text not null,
            until real not null  -- seconds since 1970
        ) strict""",
    )


@server_migrations()
def api_keys(db: Database) -> None:
    run(
        db,
        """create table api_keys (
            id text primary key,
            name text not null,
            role text not null check (role in ('viewer', 'reviewer', 'author', 'admin')),
            hash text not null unique,  -- SHA-256 of the secret; the secret itself is kept nowhere
            shown text not null,  -- its first characters, so that people can tell keys apart
            created text not null,
            created_by text not null,
            last_used text,
            revoked text
        ) strict""",
        "create unique index live_key_names on api_keys (name) where revoked is null",
    )


@server_migrations()
def people(db: Database) -> None:
    run(
        db,
        """create table people (
            number integer primary key,
            name text not null unique,
            folded text not null unique,  -- the name as it is compared: nobody may look like somebody else
            password text,  -- argon2id; null: none set, signs in by a link or through the proxy
            created text not null,
            created_by text not null,
            disabled text,  -- when
            signed_in text  -- when last
        ) strict""",
        """create table grants (
            person integer not null references people (number),
            workspace text not null,  -- '*': every workspace
            test text not null default '',  -- id; '': all tests of the workspace
            role text not null check (role in ('viewer', 'reviewer', 'author', 'admin')),
            at text not null,
            given_by text not null,
            primary key (person, workspace, test)
        ) strict, without rowid""",
        """create table sessions (
            hash text primary key,  -- SHA-256 of the cookie
            person integer not null references people (number),
            begun text not null,
            seen real not null,  -- seconds since 1970, to the minutes
            until real not null
        ) strict, without rowid""",
        "create index sessions_of_person on sessions (person)",
        """create table links (
            id text primary key,
            hash text not null unique,  -- SHA-256 of the secret part of the link
            kind text not null check (kind in ('invitation', 'password')),
            person integer references people (number),  -- whose password it sets
            workspace text not null default '',
            test text not null default '',
            role text not null default '',
            uses_left integer not null check (uses_left >= 0),
            uses integer not null,
            until real not null,
            created text not null,
            created_by text not null,
            revoked text
        ) strict""",
        # Browsers in which somebody signed in before: their tries are counted apart from those of strangers.
        """create table devices (
            hash text primary key,
            person integer not null references people (number),
            until real not null
        ) strict, without rowid""",
        """create table server_trail (
            id integer primary key autoincrement,
            at text not null,
            person text not null,
            did text not null,
            subject text not null,
            workspace text not null
        ) strict""",
        "create trigger server_trail_stays before delete on server_trail begin select raise(abort, 'kept'); end",
        "create trigger server_trail_as_it_was before update on server_trail begin select raise(abort, 'kept'); end",
        "alter table api_keys add column workspace text not null default '*'",
    )


@server_migrations()
def own_keys(db: Database) -> None:
    """The keys of the test page go with a person, not with a browser."""
    run(db, "alter table people add column keys text not null default ''")  # a query string: action=key


@server_migrations()
def own_language(db: Database) -> None:
    """So does the language of the pages, once it was chosen."""
    run(db, "alter table people add column language text not null default ''")  # its tag; empty: as the browser asks
