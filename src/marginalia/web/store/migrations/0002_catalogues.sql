-- Catalogues of survey variables; what was decided by one is kept beside its file.
CREATE TABLE catalogues (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  file TEXT NOT NULL,               -- where its file is, below the folder of catalogues
  variables INTEGER NOT NULL,
  owner TEXT NOT NULL,
  added TEXT NOT NULL
);
ALTER TABLE documents ADD COLUMN catalogue TEXT REFERENCES catalogues (id) ON DELETE SET NULL;
