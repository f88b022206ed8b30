COMMENT ON VIEW visible_groups IS
  'Public groups, and private groups that the viewer is a member of.';
COMMENT ON VIEW group_admins IS
  'The users who administer a group: its admins, and the admins of the workspace, who are the admins of the General group.';
COMMENT ON VIEW visible_threads IS
  'DMs of the viewer, chats of visible groups, and threads whose recipients include the viewer or a visible group.';
COMMENT ON VIEW visible_thread_ids IS
  'The IDs of the visible threads, for statements that gather a few threads. An ID can occur several times.';
COMMENT ON VIEW visible_files IS
  'Files that the viewer uploaded, and files attached to messages in visible threads.';
COMMENT ON VIEW active_webhooks IS
  'Webhooks that can post. Disabled and deleted webhooks cannot.';
COMMENT ON VIEW managed_apps IS
  'The apps that the viewer manages: all apps of the workspace for its admins, and the viewer''s own apps while members may create apps.';
COMMENT ON VIEW managed_webhooks IS
  'The webhooks that the viewer manages: all webhooks of the workspace for its admins, and the viewer''s own webhooks while members may create webhooks.';
COMMENT ON VIEW visible_installations IS
  'All installations in the workspace for its admins. For other users, the installations of the apps that they manage.';
COMMENT ON VIEW message_outbox IS
  'Processes of the previous version add messages to it until they stop. A later release drops the view.';
