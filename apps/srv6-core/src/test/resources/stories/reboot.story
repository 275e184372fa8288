# A connection that breaks during a write: the intent is taken back, and installed when its node was read again.
submit p1 fd00:1::/64 a b
  write a: INSERT sid_list id 1
  p1: PENDING (a PENDING, b PENDING)
a answers
  write b: INSERT my_sid fcbb:bbbb:0:1::/64
b fails
  write a: DELETE sid_list id 1
  node b: LOST
a answers
wait 1000
  write a: INSERT sid_list id 1
  node b: SYNCED
a answers
  write b: INSERT my_sid fcbb:bbbb:0:1::/64
b answers
  write a: INSERT steering_v6 vrf 0 fd00:1::/64
a answers
  p1: INSTALLED
