-- The groups and threads that a person has pinned, in the person's order: place is 1, 2, 3, ... without gaps. The order
-- of all pins changes in one statement. Therefore the unique places are checked at its end.
CREATE TABLE pins (
  workspace_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  pinned_id text COLLATE "C" GENERATED ALWAYS AS (coalesce(group_id, thread_id)) STORED NOT NULL,
  group_id text COLLATE "C",
  thread_id text COLLATE "C",
  place smallint NOT NULL,
  PRIMARY KEY (workspace_id, user_id, pinned_id),
  CONSTRAINT group_or_thread CHECK (num_nonnulls(group_id, thread_id) = 1),
  CONSTRAINT at_most_100_pins CHECK (place BETWEEN 1 AND 100),
  CONSTRAINT one_pin_per_place UNIQUE (workspace_id, user_id, place) DEFERRABLE,
  FOREIGN KEY (workspace_id, user_id) REFERENCES users,
  FOREIGN KEY (workspace_id, group_id) REFERENCES groups,
  FOREIGN KEY (workspace_id, thread_id) REFERENCES threads
);
