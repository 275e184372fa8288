# While the store hangs, a request waits, and a node that is lost and comes back is read all the same.
submit p1 fd00:1::/64 a b
  write a: INSERT sid_list id 1
  p1: PENDING (a PENDING, b PENDING)
a answers
  write b: INSERT my_sid fcbb:bbbb:0:1::/64
b answers
  write a: INSERT steering_v6 vrf 0 fd00:1::/64
a answers
  p1: INSTALLED
store hangs
submit p2 fd00:2::/64 c d
b is lost
  node b: LOST
  p1: DEGRADED (b PENDING)
b is back
  node b: SYNCED
  p1: INSTALLED
store answers
  write c: INSERT sid_list id 2
  p2: PENDING (c PENDING, d PENDING)
c answers
  write d: INSERT my_sid fcbb:bbbb:0:2::/64
d answers
  write c: INSERT steering_v6 vrf 0 fd00:2::/64
c answers
  p2: INSTALLED
