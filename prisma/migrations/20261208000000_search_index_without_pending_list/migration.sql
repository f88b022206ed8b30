-- Every search reads the whole pending list, once for each 64 threads of the caller. With 1,000 messages in it, a search
-- on the embedded database took three times as long. Without it, indexing a message costs twice as much.
ALTER INDEX searchable_messages_words RESET (gin_pending_list_limit);
ALTER INDEX searchable_messages_words SET (fastupdate = off);
SELECT gin_clean_pending_list('searchable_messages_words');
