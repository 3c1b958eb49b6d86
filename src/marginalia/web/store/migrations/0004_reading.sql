-- A title that somebody gave, and the collection that a document is in; none: the empty name.
ALTER TABLE documents ADD COLUMN title TEXT;
ALTER TABLE documents ADD COLUMN collection TEXT NOT NULL DEFAULT '';

-- What lists show besides; unknown until a document is read again.
ALTER TABLE annotated_documents ADD COLUMN authors TEXT NOT NULL DEFAULT '';
ALTER TABLE annotated_documents ADD COLUMN pages INTEGER NOT NULL DEFAULT 0;

-- How far somebody has read: an offset into the text, and the share of it that was seen at most.
CREATE TABLE positions (
  who TEXT NOT NULL,
  document TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  share REAL NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (who, document)
);
