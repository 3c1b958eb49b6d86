-- Times are ISO 8601 in UTC. Ids are part of addresses and are never used twice.
CREATE TABLE documents (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  file TEXT NOT NULL,               -- where its file is, below the folder of files
  sha256 TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  source TEXT,                      -- the path on this machine it was opened from
  asked_lang TEXT,                  -- the language somebody chose; none: the text tells
  asked_level TEXT,                 -- the reader somebody chose; none: a general one
  owner TEXT NOT NULL,
  shared INTEGER NOT NULL DEFAULT 0,
  state TEXT NOT NULL DEFAULT 'waiting',
  error TEXT NOT NULL DEFAULT '',
  added TEXT NOT NULL,
  changed TEXT NOT NULL,
  removed TEXT
);
CREATE INDEX documents_by_source ON documents (source);

-- What was made of a document last: its text and notes as compressed JSON, and what lists show of it.
CREATE TABLE readings (
  document TEXT PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  lang TEXT,
  characters INTEGER NOT NULL,
  words INTEGER NOT NULL,
  counts TEXT NOT NULL,
  summary TEXT NOT NULL,
  data BLOB NOT NULL
);

CREATE TABLE texts (
  id INTEGER PRIMARY KEY,
  document TEXT NOT NULL UNIQUE REFERENCES documents (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  text TEXT NOT NULL,
  notes TEXT NOT NULL
);
CREATE VIRTUAL TABLE search USING fts5(
  title, text, notes, content='texts', content_rowid='id', tokenize='unicode61 remove_diacritics 2'
);
CREATE TRIGGER texts_added AFTER INSERT ON texts BEGIN
  INSERT INTO search (rowid, title, text, notes) VALUES (new.id, new.title, new.text, new.notes);
END;
CREATE TRIGGER texts_gone AFTER DELETE ON texts BEGIN
  INSERT INTO search (search, rowid, title, text, notes) VALUES ('delete', old.id, old.title, old.text, old.notes);
END;
CREATE TRIGGER texts_changed AFTER UPDATE ON texts BEGIN
  INSERT INTO search (search, rowid, title, text, notes) VALUES ('delete', old.id, old.title, old.text, old.notes);
  INSERT INTO search (rowid, title, text, notes) VALUES (new.id, new.title, new.text, new.notes);
END;

CREATE TABLE tags (
  document TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  tag TEXT NOT NULL,
  PRIMARY KEY (document, tag)
);

-- A log that only grows: what holds is what was said last and not undone. It is the audit as well.
CREATE TABLE decisions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  document TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  batch TEXT NOT NULL,              -- what was done by one gesture is undone by one
  target TEXT NOT NULL,             -- the id of the decision that this says something about
  action TEXT NOT NULL,             -- a verdict, 'cleared', 'undo' or 'redo'
  data TEXT NOT NULL,
  who TEXT NOT NULL,
  at TEXT NOT NULL
);
CREATE INDEX decisions_by_document ON decisions (document, seq);
CREATE TRIGGER decisions_stay BEFORE UPDATE ON decisions BEGIN
  SELECT RAISE(ABORT, 'the log of decisions only grows');
END;

CREATE TABLE settings (
  who TEXT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (who, name)
);

-- Words somebody knows: no note on them. A batch is the gesture of deciding that added one.
CREATE TABLE words (
  who TEXT NOT NULL,
  word TEXT NOT NULL,
  batch TEXT NOT NULL DEFAULT '',
  added TEXT NOT NULL,
  PRIMARY KEY (who, word)
);

CREATE TABLE tokens (
  name TEXT PRIMARY KEY,
  sha256 TEXT NOT NULL UNIQUE,
  may TEXT NOT NULL CHECK (may IN ('read', 'write')),
  added TEXT NOT NULL,
  revoked TEXT
);
