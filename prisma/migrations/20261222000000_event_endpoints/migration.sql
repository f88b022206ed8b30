-- A URL to which events are sent. It belongs to an app or a webhook, and hears what the app or the webhook may hear.
CREATE TABLE event_endpoints (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C",
  webhook_id text COLLATE "C",
  url text NOT NULL,
  types text[] NOT NULL,
  group_id text COLLATE "C",
  secret bytea NOT NULL,
  previous_secret bytea,
  previous_secret_ends_at timestamptz(3),
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'paused', 'disabled')),
  failing_since timestamptz(3),
  creator_id text COLLATE "C",
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, app_id) REFERENCES apps (workspace_id, id),
  FOREIGN KEY (workspace_id, webhook_id) REFERENCES webhooks (workspace_id, id),
  FOREIGN KEY (workspace_id, group_id) REFERENCES groups (workspace_id, id),
  FOREIGN KEY (workspace_id, creator_id) REFERENCES users (workspace_id, id),
  CONSTRAINT app_or_webhook CHECK (num_nonnulls(app_id, webhook_id) = 1),
  CONSTRAINT previous_secret_ends CHECK ((previous_secret IS NULL) = (previous_secret_ends_at IS NULL))
);
CREATE INDEX event_endpoints_id ON event_endpoints (id);
CREATE INDEX event_endpoints_app ON event_endpoints (workspace_id, app_id) WHERE deleted_at IS NULL;
CREATE INDEX event_endpoints_webhook ON event_endpoints (workspace_id, webhook_id) WHERE deleted_at IS NULL;

-- How far an endpoint has heard the log of a workspace. The workspace of an event can differ from that of the endpoint,
-- because an app is installed in several workspaces. Everything else is in the workspace of the endpoint.
CREATE TABLE event_listeners (
  workspace_id text COLLATE "C" NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  event_workspace_id text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  is_resuming boolean NOT NULL DEFAULT FALSE,
  PRIMARY KEY (workspace_id, endpoint_id, event_workspace_id),
  FOREIGN KEY (workspace_id, endpoint_id) REFERENCES event_endpoints (workspace_id, id)
);
CREATE INDEX event_listeners_event_workspace ON event_listeners (event_workspace_id);
CREATE INDEX event_listeners_resuming ON event_listeners (event_workspace_id) WHERE is_resuming;

-- One event for one endpoint. It refers to what changed, and has no contents. A test has no position.
CREATE TABLE event_deliveries (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  event_workspace_id text COLLATE "C" NOT NULL,
  position bigint,
  type text NOT NULL,
  thread_id text COLLATE "C",
  object_id text COLLATE "C" NOT NULL,
  details jsonb,
  event_created_at timestamptz(3) NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'succeeded', 'failed', 'dropped')),
  attempt_count integer NOT NULL DEFAULT 0,
  retry_count integer NOT NULL DEFAULT 0,
  started_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, endpoint_id) REFERENCES event_endpoints (workspace_id, id)
);
CREATE INDEX event_deliveries_created ON event_deliveries (workspace_id, endpoint_id, created_at, id);
CREATE INDEX event_deliveries_status ON event_deliveries (workspace_id, endpoint_id, status, created_at, id)
  WHERE status <> 'succeeded';
CREATE INDEX event_deliveries_pending ON event_deliveries (workspace_id, endpoint_id, key, position)
  WHERE status = 'pending';

-- The pending deliveries of an endpoint with one key, such as those of one thread. They are sent one after another. A process
-- that claims a queue increases `claim`, and delays the next attempt until its claim expires.
CREATE TABLE event_queues (
  workspace_id text COLLATE "C" NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  pending integer NOT NULL,
  claim integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3),
  PRIMARY KEY (workspace_id, endpoint_id, key),
  FOREIGN KEY (workspace_id, endpoint_id) REFERENCES event_endpoints (workspace_id, id),
  CONSTRAINT attempt_while_pending CHECK ((pending > 0) = (next_attempt_at IS NOT NULL))
);
CREATE INDEX event_queues_due ON event_queues (workspace_id, endpoint_id, next_attempt_at)
  WHERE next_attempt_at IS NOT NULL;

-- One request of a delivery, with the beginning of the response.
CREATE TABLE event_attempts (
  workspace_id text COLLATE "C" NOT NULL,
  delivery_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  started_at timestamptz(3) NOT NULL,
  duration_ms integer NOT NULL,
  status smallint,
  error text,
  response text,
  PRIMARY KEY (workspace_id, delivery_id, number),
  FOREIGN KEY (workspace_id, delivery_id) REFERENCES event_deliveries (workspace_id, id) ON DELETE CASCADE
);
