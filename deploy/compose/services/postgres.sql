-- Runs once, when the volume is empty. The role of the gateway owns its schema and nothing else.
\set password `cat /run/secrets/postgres_password`
CREATE ROLE recourse LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'password';
CREATE DATABASE recourse;
REVOKE ALL ON DATABASE recourse FROM PUBLIC;
GRANT CONNECT ON DATABASE recourse TO recourse;
\connect recourse
REVOKE ALL ON SCHEMA public FROM PUBLIC;
-- Named like the role, so it is the first of its search path.
CREATE SCHEMA recourse AUTHORIZATION recourse;
