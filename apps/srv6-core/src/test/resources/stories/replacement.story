# An intent that takes another path: the new egress is there before, and the old one until after.
submit p1 fd00:1::/64 a b
  write a: INSERT sid_list id 1
  p1: PENDING (a PENDING, b PENDING)
a answers
  write b: INSERT my_sid fcbb:bbbb:0:1::/64
b answers
  write a: INSERT steering_v6 vrf 0 fd00:1::/64
a answers
  p1: INSTALLED
submit p1 fd00:1::/64 a c
  write c: INSERT my_sid fcbb:bbbb:0:1::/64
  p1: PENDING (a PENDING, c PENDING)
c answers
  write a: MODIFY sid_list id 1
a answers
  write b: DELETE my_sid fcbb:bbbb:0:1::/64
b answers
  p1: INSTALLED
