# A node that has not answered for 5 s counts as lost: other intents go on without it, and its own when it is back.
submit p1 fd00:1::/64 a b
  write a: INSERT sid_list id 1
  p1: PENDING (a PENDING, b PENDING)
submit p2 fd00:2::/64 c d
  p2: PENDING (c PENDING, d PENDING)
wait 4999
wait 1
  write c: INSERT sid_list id 2
  node a: LOST
c answers
  write d: INSERT my_sid fcbb:bbbb:0:2::/64
d answers
  write c: INSERT steering_v6 vrf 0 fd00:2::/64
c answers
  p2: INSTALLED
a answers
  write b: INSERT my_sid fcbb:bbbb:0:1::/64
  node a: SYNCED
b answers
  write a: INSERT steering_v6 vrf 0 fd00:1::/64
a answers
  p1: INSTALLED
