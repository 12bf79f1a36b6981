#!/bin/sh
# Runs once, when the volume of PostgreSQL is new: a database that the service owns, and a role for it
# that owns nothing else. The service creates its tables itself.
set -eu

psql --set=ON_ERROR_STOP=1 --set=password="$DATABASE_PASSWORD" --username "$POSTGRES_USER" <<'SQL'
create role tributary login nosuperuser nocreatedb nocreaterole noreplication nobypassrls
  password :'password';
create database tributary owner tributary;
revoke connect on database tributary from public;
revoke connect on database postgres from public;
SQL
