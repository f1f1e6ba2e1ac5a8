-- one row a reading; lamp ids are the number on the pole
create table reading (
  lamp integer not null,
  at timestamptz not null,
  level smallint,
  watts real,
  humidity smallint,
  tilt real
) partition by range (at);

create table lamp (
  id integer primary key,
  street text not null,
  crossing boolean not null default false,
  revision text not null,
  installed date
);

-- who was there: crane crews sign with their van
create table visit (
  lamp integer references lamp,
  at timestamptz,
  van text,
  done text
);
