-- The search index is the first reader of these rows, but not the only possible one.
ALTER TABLE unindexed_messages RENAME TO message_outbox;
ALTER INDEX unindexed_messages_pkey RENAME TO message_outbox_pkey;
ALTER SEQUENCE unindexed_messages_number_seq RENAME TO message_outbox_number_seq;

-- Processes of the previous version use the old name until they stop. A later release drops the view.
CREATE VIEW unindexed_messages AS SELECT * FROM message_outbox;
