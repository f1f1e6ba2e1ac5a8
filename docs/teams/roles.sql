-- What a worker needs in the queue's database, and no more: it reads and writes the tables that exist, and makes none.
-- Run it as the owner of the schema, after the owner's first command has made the schema and after each update:
--   psql -v role=worker -v schema=deep_research -f roles.sql postgres://owner@db.example.org/research
GRANT USAGE ON SCHEMA :"schema" TO :"role";
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA :"schema" TO :"role";
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA :"schema" TO :"role";
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA :"schema" TO :"role";
REVOKE UPDATE, DELETE, INSERT ON :"schema".research_schema FROM :"role";
