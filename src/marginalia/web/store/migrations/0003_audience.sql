-- Who reads a document is named by a profile; there were three levels of hard words before.
ALTER TABLE documents RENAME COLUMN asked_level TO audience;
UPDATE documents SET audience = CASE audience WHEN 'general' THEN 'reader' WHEN 'expert' THEN 'specialist' ELSE audience END;

-- Notes are named by their annotators, no longer by shared tasks: they are made again, and what was decided goes along.
UPDATE documents SET state = 'waiting' WHERE state = 'done';
ALTER TABLE readings RENAME TO annotated_documents;
DELETE FROM annotated_documents;
DROP TRIGGER decisions_stay;
UPDATE decisions SET data = replace(replace(replace(replace(data,
  '"task": "complexity"', '"task": "words"'), '"task": "measurement"', '"task": "measurements"'),
  '"task": "clarification"', '"task": "unclear"'), '"task": "similarity"', '"task": "consistency"');
CREATE TRIGGER decisions_stay BEFORE UPDATE ON decisions BEGIN
  SELECT RAISE(ABORT, 'the log of decisions only grows');
END;
UPDATE settings SET value = replace(replace(replace(replace(value,
  '"complexity.', '"words.'), '"measurement.', '"measurements.'),
  '"clarification.', '"unclear.'), '"similarity.', '"consistency.');
